import { isSettled } from "../../protocol/internal.js";
import type { TaskRecord } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { timestampOf } from "../clock.js";
import type { LiveTask } from "../log/live-task.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";

/** Tasks taken over at a time, so that many nodes share what one left behind. */
const batchSize = 32;

const explanation =
  "The process that worked on this task stopped before it was done, and this agent does not resume.";

interface Recovery {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  readonly runner: Runner;
}

/**
 * Takes over tasks that nobody works on though somebody should: their node has died, or lost them when
 * the store failed. A durable agent goes on with them; another's are closed as failed, with the reason.
 * Answers how many there were. One that cannot be recovered is reported and does not hold up the others.
 */
export async function recoverTasks(recovery: Recovery): Promise<number> {
  const { environment, agent, runner } = recovery;
  if (agent.durable && runner.isFull) return 0;
  const recovered = (await findLost(recovery)).map(async (record) => {
    try {
      return await recoverTask(recovery, record);
    } catch (error) {
      environment.report(error, record.taskId);
      return false;
    }
  });
  return (await Promise.all(recovered)).filter(Boolean).length;
}

/**
 * Tasks with nobody at work, as they were when nobody was. A claim by their epochs takes no other's. What
 * this node works on is not abandoned, even when the node was held up for longer than its lease.
 */
async function findLost({ environment, agent }: Recovery): Promise<readonly TaskRecord[]> {
  const { store, clock, node, orphans } = environment;
  const findAbandoned = (): Promise<readonly string[]> =>
    store.findAbandoned(agent.name, clock.now(), batchSize);
  const lost: TaskRecord[] = [];
  for (const taskId of orphans) {
    const record = await store.loadRecord(taskId);
    if (record?.node === node && !isSettled(record.state)) lost.push(record);
    else orphans.delete(taskId);
  }
  const found = await findAbandoned();
  if (found.length === 0) return lost;
  const records = await Promise.all(found.map((taskId) => store.loadRecord(taskId)));
  // Asked again after the epochs were read: who claimed a task before that shows by its absence here, and
  // who claims one later raises its epoch.
  const abandoned = new Set(await findAbandoned());
  for (const record of records) {
    if (record === undefined || record.node === node) continue;
    if (abandoned.has(record.taskId)) lost.push(record);
  }
  return lost;
}

/** False when somebody else was faster, or when it did not work this time. */
async function recoverTask(
  { environment, agent, runner }: Recovery,
  { taskId, epoch: lostEpoch, sequence }: TaskRecord,
): Promise<boolean> {
  const { store, lives, node, orphans } = environment;
  // Who has written to it since may have laid it to rest, or begun to work on it.
  const epoch = await store.claim({ taskId, node, epoch: lostEpoch, sequence });
  if (epoch === undefined) return false;
  orphans.delete(taskId);
  try {
    const handle = await lives.open(taskId);
    if (handle === undefined) return false;
    handle.live.adopt(epoch);
    if (agent.durable) return await runner.startAgain({ handle, epoch });
    try {
      await fail(environment, handle.live, epoch);
    } finally {
      handle.release();
    }
    return true;
  } catch (error) {
    orphans.add(taskId);
    throw error;
  }
}

async function fail(environment: RunEnvironment, live: LiveTask, epoch: number): Promise<void> {
  const { clock, newId } = environment;
  const { publicId: taskId, contextId } = live.identity;
  const message = {
    messageId: newId(),
    role: "ROLE_AGENT",
    parts: [{ text: explanation }],
    taskId,
    contextId,
  } as const;
  const status = {
    state: "TASK_STATE_FAILED",
    message,
    timestamp: timestampOf(clock.now()),
  } as const;
  const ended = { kind: "status-changed", status } as const;
  await live.write((state) => (isSettled(state) ? undefined : { events: [ended], node: null }), {
    epoch,
  });
}
