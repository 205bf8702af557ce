import { A2AError, describeState, isTerminal } from "../../../protocol/internal.js";
import type { Append } from "../../append.js";
import { StoreConflict } from "../../store-conflict.js";
import type { Head } from "../../store-conflict.js";

/** Refuses the creation of a task that exists. */
export function existsAlready(taskId: string, head: Head | undefined): StoreConflict {
  return new StoreConflict(`task ${taskId} exists already`, head);
}

/**
 * Why an append does not fit the log of a task that should exist; `undefined` when it does. `head` is absent for an
 * unknown task.
 */
export function refusalOf(append: Append, head: Head | undefined): A2AError | undefined {
  const { taskId, expectedSequence, epoch, whileStates } = append;
  if (head === undefined) return new StoreConflict(`task ${taskId} does not exist`);
  if (expectedSequence !== undefined) {
    if (head.sequence !== expectedSequence) {
      const message = `task ${taskId} is at entry ${head.sequence}, not ${expectedSequence}`;
      return new StoreConflict(message, head);
    }
    if (head.epoch !== epoch) {
      const message = `task ${taskId} is under epoch ${head.epoch}, not ${epoch}`;
      return new StoreConflict(message, head);
    }
  }
  if (isTerminal(head.state)) {
    const message = `task ${taskId} is ${describeState(head.state)}; nothing can be added to it`;
    return new A2AError("UNSUPPORTED_OPERATION", message, { details: { metadata: { taskId } } });
  }
  if (whileStates?.includes(head.state) === false) {
    return new StoreConflict(`task ${taskId} is ${describeState(head.state)}`, head);
  }
  return undefined;
}

/** Throws for an append that no store can carry out, whatever the log. */
export function checkCreation({ taskId, create, status, expectedSequence }: Append): void {
  if (create === undefined) return;
  if (status === undefined) {
    throw new A2AError("INTERNAL", `task ${taskId} is new; its append needs create and status`);
  }
  if (expectedSequence !== 0) {
    throw new StoreConflict(`task ${taskId} is new; expectedSequence has to be 0`);
  }
}
