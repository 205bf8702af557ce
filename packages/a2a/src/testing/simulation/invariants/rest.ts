import { isSettled } from "../../../protocol/internal.js";
import type { FinalTask } from "../../history/history.js";
import { parsePlan } from "../workload/plan.js";

/** Tasks that no run has ended. */
export interface Unsettled {
  readonly tasks: readonly FinalTask[];
  /** Those among them that wait for a message which nobody sends: their callers never learned of them. */
  readonly forsaken: readonly FinalTask[];
}

export function findUnsettled(tasks: readonly FinalTask[]): Unsettled {
  const unsettled = tasks.filter(({ record }) => !isSettled(record.state));
  return { tasks: unsettled, forsaken: unsettled.filter((task) => isPlanned(task, "n")) };
}

/** A run of a durable agent fails only where its plan says so, or where nobody answers for too long. */
export function* checkFailed(tasks: readonly FinalTask[]): Iterable<string> {
  for (const task of tasks) {
    const { taskId, state } = task.record;
    if (state !== "TASK_STATE_FAILED" || isPlanned(task, "x")) continue;
    const last = task.log.at(-1)?.event;
    const said = last?.kind === "status-changed" ? JSON.stringify(last.status.message?.parts) : "";
    if (said?.includes("Nobody answered within") === true) continue;
    yield `${taskId} has failed, which was not planned: ${said}`;
  }
}

function isPlanned({ log }: FinalTask, letter: string): boolean {
  return log.some(({ event }) => {
    if (event.kind !== "message-added") return false;
    return parsePlan(event.message.parts[0]?.text ?? "").includes(letter);
  });
}

/** Every handler comes to an end, so after a while every task has ended or waits for its caller. */
export function* checkSettled({ tasks, forsaken }: Unsettled): Iterable<string> {
  for (const task of tasks) {
    if (forsaken.includes(task)) continue;
    const { taskId, state, node, epoch, sequence } = task.record;
    yield `${taskId} is ${state} under ${node ?? "no node"} (epoch ${epoch}, entry ${sequence}), and no run ends it`;
  }
}
