import type { Artifact } from "./artifact.js";
import type { JsonObject } from "./json.js";
import type { Message } from "./message.js";
import type { StreamResponse, TaskArtifactUpdateEvent } from "./stream-response.js";
import type { Task, TaskStatus } from "./task.js";
import type { Writable } from "./writable.js";

/** A task began. Always the first event of its log, and only the first. */
export interface TaskCreated {
  readonly kind: "task-created";
  readonly taskId: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly metadata?: JsonObject;
}

/** A message joined the task's history. */
export interface MessageAdded {
  readonly kind: "message-added";
  readonly message: Message;
}

/** The task's status changed. Its metadata is merged into the task's. */
export interface StatusChanged {
  readonly kind: "status-changed";
  readonly status: TaskStatus;
  readonly metadata?: JsonObject;
}

/** An artifact appeared, was replaced, or grew by a chunk. */
export interface ArtifactUpdated {
  readonly kind: "artifact-updated";
  readonly artifact: Artifact;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly metadata?: JsonObject;
}

/** An event of a task's log. The task is the fold of its log. */
export type TaskEvent = TaskCreated | MessageAdded | StatusChanged | ArtifactUpdated;

/**
 * The form in which streams carry an event. `undefined` for a message that joins the history: watchers
 * see it in the task, not as an event of its own.
 */
export function toStreamResponse(
  event: TaskEvent,
  task: Pick<Task, "id" | "contextId">,
): StreamResponse | undefined {
  const { id: taskId, contextId = "" } = task;
  switch (event.kind) {
    case "task-created": {
      const { taskId: id, contextId: ofTask, status, metadata } = event;
      return { task: { id, contextId: ofTask, status, ...(metadata && { metadata }) } };
    }
    case "message-added":
      return undefined;
    case "status-changed": {
      const { status, metadata } = event;
      const statusUpdate = { taskId, contextId, status };
      return { statusUpdate: metadata ? { ...statusUpdate, metadata } : statusUpdate };
    }
    case "artifact-updated": {
      const { artifact, append, lastChunk, metadata } = event;
      const artifactUpdate: Writable<TaskArtifactUpdateEvent> = { taskId, contextId, artifact };
      if (append !== undefined) artifactUpdate.append = append;
      if (lastChunk !== undefined) artifactUpdate.lastChunk = lastChunk;
      if (metadata !== undefined) artifactUpdate.metadata = metadata;
      return { artifactUpdate };
    }
  }
}
