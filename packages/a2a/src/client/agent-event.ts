import { A2AError } from "../protocol/internal.js";
import type {
  Message,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "../protocol/internal.js";

/** An event of a stream, told apart by `kind`. */
export type AgentEvent =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "task"; readonly task: Task }
  | ({ readonly kind: "status" } & TaskStatusUpdateEvent)
  | ({ readonly kind: "artifact" } & TaskArtifactUpdateEvent);

export function eventOf(response: StreamResponse): AgentEvent {
  if (response.message) return { kind: "message", message: response.message };
  if (response.task) return { kind: "task", task: response.task };
  if (response.statusUpdate) return { kind: "status", ...response.statusUpdate };
  if (response.artifactUpdate) return { kind: "artifact", ...response.artifactUpdate };
  throw new A2AError("INVALID_AGENT_RESPONSE", "the agent sent an event of no kind");
}
