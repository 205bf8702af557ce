import { randomUUID } from "node:crypto";
import { isInterrupted, isTerminal } from "@parley/a2a";
import type { Message, RequestOf, StreamResponse, Task, TaskState } from "@parley/a2a";

/** A request that sends a text, as the tool's own messages are. */
export function probeMessage(text: string, more: Partial<Message> = {}): RequestOf<"sendMessage"> {
  return { message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more } };
}

/** An id that no task has. */
export function unknownTaskId(): string {
  return randomUUID();
}

/** The state that an event tells, if it tells one. */
export function stateOf({ task, statusUpdate }: StreamResponse): TaskState | undefined {
  return (task ?? statusUpdate)?.status.state;
}

/** The task that an event is about; `undefined` for a message without a task. */
export function taskIdOf(response: StreamResponse): string | undefined {
  const { task, statusUpdate, artifactUpdate, message } = response;
  return task?.id ?? (statusUpdate ?? artifactUpdate ?? message)?.taskId;
}

/** Whether a task needs nobody any more, or waits for its caller. */
export function isSettled(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}

/** Whether a task goes on by itself. */
export function isWorking({ status }: Task): boolean {
  return !isSettled(status.state);
}
