import { isInterrupted, isTerminal } from "../protocol/index.js";
import type { TaskRecord } from "../store/index.js";
import type { Agent } from "./agent.js";
import { timestampOf } from "./clock.js";
import type { RunEnvironment } from "./run-environment.js";
import type { Runner } from "./runner.js";

/** Tasks taken over at a time, so that many nodes share what one left behind. */
const batchSize = 32;

const explanation =
  "The process that worked on this task stopped before it was done, and this agent does not resume.";

/**
 * Takes over tasks that nobody works on though somebody should: their node has died, or this node's own
 * run on them broke down. A durable agent goes on with them; another's are closed as failed, with the
 * reason. Answers how many there were.
 */
export async function recoverTasks(
  environment: RunEnvironment,
  agent: Agent,
  runner: Runner,
): Promise<number> {
  const { store, node } = environment;
  const attempt = async (
    taskId: string,
    load: () => Promise<TaskRecord | undefined>,
  ): Promise<boolean> => {
    try {
      const record = await load();
      return record !== undefined && (await recoverTask(environment, { agent, runner, record }));
    } catch (error) {
      environment.report(error, taskId);
      runner.addOrphan(taskId);
      return false;
    }
  };
  const own = runner.takeOrphans().map((taskId) =>
    attempt(taskId, async () => {
      const record = await store.loadRecord(taskId);
      return record?.node === node ? record : undefined;
    }),
  );
  const abandoned = await findAbandoned(environment, agent);
  const others = abandoned.map((record) => attempt(record.taskId, async () => record));
  const recovered = await Promise.all([...own, ...others]);
  return recovered.filter(Boolean).length;
}

/**
 * Abandoned tasks, each with an epoch under which it was abandoned: it was so before its record was read
 * and after. So no claim with that epoch takes a task from a live node that was faster.
 */
async function findAbandoned(
  { store, clock }: RunEnvironment,
  agent: Agent,
): Promise<readonly TaskRecord[]> {
  const find = (): Promise<readonly string[]> =>
    store.findAbandoned(agent.name, clock.now(), batchSize);
  const records = await Promise.all((await find()).map((taskId) => store.loadRecord(taskId)));
  if (records.length === 0) return [];
  const confirmed = new Set(await find());
  return records.flatMap((record) =>
    record !== undefined && confirmed.has(record.taskId) ? [record] : [],
  );
}

async function recoverTask(
  environment: RunEnvironment,
  { agent, runner, record }: { agent: Agent; runner: Runner; record: TaskRecord },
): Promise<boolean> {
  const { store, lives, node, clock, newId } = environment;
  const { taskId } = record;
  if (isTerminal(record.state) || isInterrupted(record.state)) return false;
  const epoch = await store.claim({ taskId, node, epoch: record.epoch });
  const handle = epoch === undefined ? undefined : await lives.open(taskId);
  if (epoch === undefined || handle === undefined) return false;
  const { live } = handle;
  live.adopt(epoch);
  try {
    // Only from here on can nobody else have added to the log.
    await live.refresh();
    if (agent.durable) {
      await runner.startAgain(handle);
      return true;
    }
    const { publicId, contextId } = live.origin;
    const message = {
      messageId: newId(),
      role: "ROLE_AGENT",
      parts: [{ text: explanation }],
      taskId: publicId,
      contextId,
    } as const;
    const timestamp = timestampOf(clock.now());
    const status = { state: "TASK_STATE_FAILED", message, timestamp } as const;
    await live.write(
      (state) =>
        isTerminal(state)
          ? undefined
          : { events: [{ kind: "status-changed", status }], node: null },
      { epoch },
    );
    handle.release();
    return true;
  } catch (error) {
    handle.release();
    throw error;
  }
}
