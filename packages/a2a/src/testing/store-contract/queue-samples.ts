import type { ClaimedQueue, PushConfigRecord, QueueClaim, Store } from "../../store/internal.js";
import { agent, all, chunk, createTask, creation, range } from "./samples.js";

export function pushConfig(
  taskId: string,
  configId = "c1",
  more: Partial<PushConfigRecord> = {},
): PushConfigRecord {
  const host = "a.example";
  const config = { id: configId, taskId, url: `https://${host}` };
  return { taskId, configId, dialect: "1.0", detail: "chunks", host, config, ...more };
}

/** Creates a task with a push configuration and a number of notifications that have been due since 1000. */
export async function createQueue(
  store: Store,
  taskId: string,
  { length = 1, ...config }: Partial<PushConfigRecord> & { readonly length?: number } = {},
): Promise<void> {
  const first = creation(taskId).events;
  await createTask(
    store,
    taskId,
    {},
    {
      pushConfig: pushConfig(taskId, config.configId, config),
      events: [...first, ...range(length - 1).map((index) => chunk(String(index)))],
      notifyAt: 1000,
    },
  );
}

/** Claims all queues that are due at a time, unless `claim` limits it. Sorts the result. */
export async function claimQueues(
  store: Store,
  claim: Partial<QueueClaim> & Pick<QueueClaim, "now" | "until">,
): Promise<ClaimedQueue[]> {
  const claimed = await store.claimQueues({
    agent,
    node: "n1",
    limit: all,
    ahead: all,
    perHost: all,
    taken: new Map(),
    ...claim,
  });
  return claimed.toSorted((left, right) => (spellQueue(left) < spellQueue(right) ? -1 : 1));
}

/** Describes claimed deliveries: `t1 c1 1,2,3`. */
export function spellQueue({ taskId, configId, deliveries }: ClaimedQueue): string {
  return `${taskId} ${configId} ${deliveries.map(({ sequence }) => sequence).join()}`;
}
