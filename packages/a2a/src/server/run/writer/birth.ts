import type { JsonObject, Message } from "../../../protocol/internal.js";
import type { TaskIdentity } from "../../log/task-identity.js";
import type { Draft } from "../../log/write.js";

/** What a task begins with, should the run for its first message create it. */
export interface Birth extends Pick<Draft, "idempotency" | "pushConfig" | "limits"> {
  readonly identity: TaskIdentity;
  /** The message that the first run answers, with the ids of the task. */
  readonly message: Message;
  /** What the first run has to know of its call. */
  readonly call: JsonObject;
  /** The task keeps the changes of its state. */
  readonly keepsTransitions: boolean;
}
