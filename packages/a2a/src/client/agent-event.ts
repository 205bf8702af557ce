import { A2AError } from "../protocol/internal.js";
import type {
  Message,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "../protocol/internal.js";

/** An event of a stream, discriminated by `kind`. */
export type AgentEvent =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "task"; readonly task: Task }
  | ({ readonly kind: "status" } & TaskStatusUpdateEvent)
  | ({ readonly kind: "artifact" } & TaskArtifactUpdateEvent);

export function eventOf({
  message,
  task,
  statusUpdate,
  artifactUpdate,
}: StreamResponse): AgentEvent {
  if (message) return { kind: "message", message };
  if (task) return { kind: "task", task };
  if (statusUpdate) return { kind: "status", ...statusUpdate };
  if (artifactUpdate) return { kind: "artifact", ...artifactUpdate };
  throw new A2AError("INVALID_AGENT_RESPONSE", "the agent sent an event of unknown kind");
}
