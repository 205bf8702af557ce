import { A2AError, progressOf } from "../../protocol/internal.js";
import type {
  AgentCard,
  AgentService,
  Message,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "../../protocol/internal.js";
import type { Batches } from "../../async/internal.js";
import type { BackoffOptions } from "../calls/retry.js";
import type { Content, Patience, SendOptions, WatchOptions } from "../call-options.js";
import { continuing, createCallContext, createMessage } from "../outgoing-message.js";
import type { CallDefaults } from "../outgoing-message.js";
import { pick } from "../pick.js";
import { Delivered } from "./delivered.js";
import { follow as followPlainly } from "./follow.js";
import type { Follow } from "./follow.js";

/** What a conversation needs to know of the agent and of the client. */
export interface ConversationContext extends BackoffOptions, CallDefaults {
  readonly card: AgentCard;
  /**
   * Without retries: to a stream, a failed call is a failed attempt to reconnect, and the stream counts
   * those.
   */
  readonly service: AgentService;
  readonly newId: () => string;
  readonly patience: Patience;
  /** The most bytes that a task may have that a stream tells. */
  readonly maxAnswerBytes?: number;
  /** Follows tasks in place of `follow`. */
  readonly follow?: Follow;
}

/**
 * Sends content, follows the task that it begins over any number of connections, and answers the agent's
 * questions as far as the caller has answers.
 */
export async function* converse(
  agent: ConversationContext,
  content: Content,
  options: SendOptions,
  delivered: Delivered = new Delivered(undefined, agent.maxAnswerBytes),
): Batches<StreamResponse> {
  const { onReconnect } = options;
  const { follow = followPlainly } = agent;
  const following = { ...agent, ...agent.patience, delivered, onReconnect };
  let outgoing = await createMessage(agent, content, options);
  for (;;) {
    const { request, call } = outgoing;
    yield* follow(request, { ...following, call, until: "settled" });
    const task = delivered.task();
    if (task === undefined) return;
    const answer = await answerTo(task, options);
    if (answer === undefined) {
      // The caller may authorize the agent elsewhere; then the task goes on without a message.
      const isAuthorizing = options.onAuthRequired && task.status.state === authRequired;
      if (!isAuthorizing) return;
      return yield* follow(task.id, { ...following, call, until: "ended" });
    }
    delivered.resume();
    outgoing = await createMessage(agent, answer, {
      ...continuing(options, task.id),
      ...pick(task, "contextId"),
    });
  }
}

/** Watches a task from its present state on, over any number of connections. */
export function watchTask(
  agent: ConversationContext,
  taskId: string,
  options: WatchOptions,
): Batches<StreamResponse> {
  const { until = "ended", onReconnect } = options;
  const { follow = followPlainly } = agent;
  const call = createCallContext(agent, options);
  const delivered = new Delivered(taskId, agent.maxAnswerBytes);
  return follow(taskId, { ...agent, ...agent.patience, call, until, delivered, onReconnect });
}

const authRequired = "TASK_STATE_AUTH_REQUIRED";

async function answerTo(
  task: Task,
  { onInputRequired, onAuthRequired }: SendOptions,
): Promise<Content | undefined> {
  const { state, message } = task.status;
  if (state === "TASK_STATE_INPUT_REQUIRED") return onInputRequired?.(message, task);
  if (state === authRequired) return onAuthRequired?.(message, task);
  return undefined;
}

/** How far an agent has come, as it says itself: 0 is nothing, 1 is all of it. Absent when it does not say. */
interface Progress {
  readonly progress?: number;
}

/** An event of a stream, discriminated by `kind`. */
export type AgentEvent =
  | { readonly kind: "message"; readonly message: Message }
  | ({ readonly kind: "task"; readonly task: Task } & Progress)
  | ({ readonly kind: "status" } & TaskStatusUpdateEvent & Progress)
  | ({ readonly kind: "artifact" } & TaskArtifactUpdateEvent);

/** The events that a caller receives for the responses of a conversation. */
export async function* eventsOf(
  responses: Batches<StreamResponse>,
): AsyncGenerator<AgentEvent, void, void> {
  for await (const batch of responses) for (const one of batch) yield eventOf(one);
}

function eventOf({ message, task, statusUpdate, artifactUpdate }: StreamResponse): AgentEvent {
  if (message) return { kind: "message", message };
  const progress = progressOf(statusUpdate ?? task);
  const told = progress !== undefined && { progress };
  if (task) return { kind: "task", task, ...told };
  if (statusUpdate) return { kind: "status", ...statusUpdate, ...told };
  if (artifactUpdate) return { kind: "artifact", ...artifactUpdate };
  throw new A2AError("INVALID_AGENT_RESPONSE", "the agent sent an event of unknown kind");
}
