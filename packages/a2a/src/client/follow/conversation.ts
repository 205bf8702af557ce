import { A2AError } from "../../protocol/internal.js";
import type {
  AgentCard,
  AgentService,
  CallContext,
  SendMessageRequest,
  StreamEvent,
  StreamResponse,
  Task,
} from "../../protocol/internal.js";
import type { BackoffOptions } from "../calls/backoff.js";
import { createCallContext } from "../call-options.js";
import type { CallDefaults, Patience, SendOptions, WatchOptions } from "../call-options.js";
import type { Content } from "../content.js";
import { createSendRequest } from "../create-send-request.js";
import { pick } from "../pick.js";
import { Delivered } from "./delivered.js";
import { follow } from "./follow.js";
import type { FollowOptions, FollowStart } from "./follow.js";
import { pollTask } from "./poll-task.js";

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
}

/**
 * Sends content, follows the task that it begins over any number of connections, and answers the agent's
 * questions as far as the caller has answers.
 */
export async function* converse(
  agent: ConversationContext,
  content: Content,
  options: SendOptions,
  delivered: Delivered,
): AsyncGenerator<StreamResponse, void, void> {
  let request = await createSendRequest(content, options, agent.newId);
  let target = options;
  for (;;) {
    const sent = request;
    const open = (call: CallContext): AsyncIterable<StreamEvent> => send(agent, sent, call);
    yield* followTask(agent, open, target, { until: "settled", delivered });
    const task = delivered.task();
    if (task === undefined) return;
    const answer = await answerTo(task, options);
    if (answer === undefined) {
      // The caller may authorize the agent elsewhere; then the task goes on without a message.
      const isAuthorizing = options.onAuthRequired && task.status.state === authRequired;
      if (!isAuthorizing) return;
      return yield* followTask(agent, task.id, target, { until: "ended", delivered });
    }
    delivered.resume();
    const { idempotencyKey: _, ...others } = options;
    target = { ...others, taskId: task.id, ...pick(task, "contextId") };
    request = await createSendRequest(answer, target, agent.newId);
  }
}

/** Watches a task from its present state on, over any number of connections. */
export function watchTask(
  agent: ConversationContext,
  taskId: string,
  options: WatchOptions,
): AsyncGenerator<StreamResponse, void, void> {
  const { until = "ended" } = options;
  return followTask(agent, taskId, options, { until, delivered: new Delivered(taskId) });
}

/**
 * Sends a message and streams the answer. An agent that does not stream is sent the message once and then
 * polled.
 */
async function* send(
  { service, card, clock, patience }: ConversationContext,
  request: SendMessageRequest,
  call: CallContext,
): AsyncGenerator<StreamEvent, void, void> {
  if (card.capabilities.streaming === true) {
    let hasBegun = false;
    try {
      for await (const event of service.sendStreamingMessage(request, call)) {
        hasBegun = true;
        yield event;
      }
      return;
    } catch (error) {
      // After any other refusal the agent may have begun, and the message must not be sent twice.
      if (hasBegun || !A2AError.is(error) || error.code !== "METHOD_NOT_FOUND") throw error;
    }
  }
  const configuration = { ...request.configuration, returnImmediately: true };
  const { message, task } = await service.sendMessage({ ...request, configuration }, call);
  if (message !== undefined) return yield { response: { message } };
  yield { response: { task } };
  yield* pollTask(task.id, { ...patience, service, clock, call });
}

function followTask(
  agent: ConversationContext,
  start: FollowStart,
  options: SendOptions,
  how: Pick<FollowOptions, "until" | "delivered">,
): AsyncGenerator<StreamResponse, void, void> {
  const call = createCallContext(agent, options);
  const { onReconnect } = options;
  return follow(start, { ...agent, ...agent.patience, ...how, call, onReconnect });
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
