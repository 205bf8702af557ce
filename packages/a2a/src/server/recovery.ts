import { isInterrupted, isTerminal } from "../protocol/index.js";
import type { Agent } from "./agent.js";
import { timestampOf } from "./clock.js";
import type { RunEnvironment } from "./run-environment.js";
import type { Runner } from "./runner.js";

/** Tasks taken over at a time, so that many nodes share what one left behind. */
const batchSize = 32;

const explanation =
  "The process that worked on this task stopped before it was done, and this agent does not resume.";

/**
 * Takes over tasks that nobody works on though somebody should: their node has died. A durable agent
 * goes on with them; another's are closed as failed, with the reason. Answers how many there were.
 */
export async function recoverTasks(
  environment: RunEnvironment,
  agent: Agent,
  runner: Runner,
): Promise<number> {
  const { store, clock } = environment;
  const abandoned = await store.findAbandoned(agent.name, clock.now(), batchSize);
  let recovered = 0;
  for (const taskId of abandoned) {
    if (await recoverTask(environment, { agent, runner, taskId })) recovered += 1;
  }
  return recovered;
}

async function recoverTask(
  environment: RunEnvironment,
  { agent, runner, taskId }: { agent: Agent; runner: Runner; taskId: string },
): Promise<boolean> {
  const { store, lives, node, clock, newId } = environment;
  const handle = await lives.open(taskId);
  if (handle === undefined) return false;
  const { live } = handle;
  await live.refresh();
  const epoch =
    isTerminal(live.state) || isInterrupted(live.state)
      ? undefined
      : await store.claim({ taskId, node, epoch: live.epoch });
  if (epoch === undefined) {
    handle.release();
    return false;
  }
  live.adopt(epoch);
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
      isTerminal(state) ? undefined : { events: [{ kind: "status-changed", status }], node: null },
    { epoch },
  );
  handle.release();
  return true;
}
