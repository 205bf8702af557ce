import type { Artifact } from "./artifact.js";
import type { JsonObject } from "./json.js";
import type { Message } from "./message.js";
import type { TaskState } from "./task-state.js";

/** Where a task stands, since when, and what the agent says about it (§4.1.2). */
export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: Message;
  /** UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly timestamp?: string;
}

/** One unit of work of an agent (§4.1.1). */
export interface Task {
  readonly id: string;
  readonly contextId?: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  /** Oldest first. */
  readonly history?: readonly Message[];
  readonly metadata?: JsonObject;
}
