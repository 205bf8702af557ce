import type { Artifact } from "./artifact.js";
import type { JsonObject } from "./json.js";
import type { Message } from "./message.js";
import { isTerminal } from "./task-state.js";
import type { TaskState } from "./task-state.js";
import type { Task, TaskStatus } from "./task.js";

/** A task's status changed (§4.2.1). */
export interface TaskStatusUpdateEvent {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly metadata?: JsonObject;
}

/** An artifact, or one more chunk of it (§4.2.2). */
export interface TaskArtifactUpdateEvent {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: Artifact;
  /** The parts continue the artifact of the same id rather than replace it. */
  readonly append?: boolean;
  /** No more chunks of this artifact follow. */
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

/** One event of a stream, and one push notification: exactly one member (§3.2.3). */
export type StreamResponse =
  | {
      readonly task: Task;
      readonly message?: never;
      readonly statusUpdate?: never;
      readonly artifactUpdate?: never;
    }
  | {
      readonly message: Message;
      readonly task?: never;
      readonly statusUpdate?: never;
      readonly artifactUpdate?: never;
    }
  | {
      readonly statusUpdate: TaskStatusUpdateEvent;
      readonly task?: never;
      readonly message?: never;
      readonly artifactUpdate?: never;
    }
  | {
      readonly artifactUpdate: TaskArtifactUpdateEvent;
      readonly task?: never;
      readonly message?: never;
      readonly statusUpdate?: never;
    };

/**
 * True when a stream closes after the task has entered `state`. The stream of a send closes when the
 * task asks for input; a subscription goes on until the task ends. Neither closes while the task waits
 * for authorization, which may arrive from elsewhere (§3.1.2, §3.1.6, §7.6.1).
 */
export function endsStream(
  operation: "sendStreamingMessage" | "subscribeToTask",
  state: TaskState,
): boolean {
  return (
    isTerminal(state) ||
    (operation === "sendStreamingMessage" && state === "TASK_STATE_INPUT_REQUIRED")
  );
}
