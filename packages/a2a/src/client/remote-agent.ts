import { A2AError, textOf } from "../protocol/internal.js";
import type {
  AgentCard,
  CallableService,
  JsonObject,
  JsonValue,
  ListTasksRequest,
  Message,
  SendMessageResponse,
  Task,
} from "../protocol/internal.js";
import type { CardVerification } from "../wire/card/internal.js";
import type { CallOptions, Content, SendOptions, WatchOptions } from "./call-options.js";
import { withRetries } from "./calls/retry.js";
import { converse, eventsOf, watchTask } from "./follow/conversation.js";
import type { AgentEvent, ConversationContext } from "./follow/conversation.js";
import { Delivered } from "./follow/delivered.js";
import { createCallContext, createMessage } from "./outgoing-message.js";
import { pick } from "./pick.js";
import type { TaskHandle } from "./task-handle.js";

export interface RemoteAgentOptions extends ConversationContext {
  readonly binding: string;
  readonly url: string;
  readonly signature?: CardVerification;
}

/** An agent on another server: its card, its operations, and shorter ways to the common ones. */
export class RemoteAgent {
  readonly card: AgentCard;
  /**
   * The operations. Calls that fail on the way are repeated where that is safe; streams are not. A call
   * without a context goes in the agent's version, with the extensions of `connect`.
   */
  readonly service: CallableService;
  /** The protocol version of the chosen interface. */
  readonly version: ConversationContext["version"];
  readonly binding: string;
  /** The URL of the chosen interface. */
  readonly url: string;
  /** The result of verifying the card's signatures; absent when `connect` was given no `verifyCard`. */
  readonly signature: CardVerification | undefined;
  /** For streams that reconnect. Such a stream repeats calls itself, so its calls do not go through `service`. */
  readonly #context: ConversationContext;

  constructor(options: RemoteAgentOptions) {
    this.card = options.card;
    const retries = { ...options, ...options.patience };
    this.service = withRetries(options.service, retries, createCallContext(options, {}));
    this.version = options.version;
    this.binding = options.binding;
    this.url = options.url;
    this.signature = options.signature;
    this.#context = options;
  }

  /**
   * Sends a message and resolves to the text of the answer: of the message, or of the completed task's
   * artifacts, or else of its status. Rejects with `TaskNotCompleted` when the task ends in any other way, or
   * when the agent asks something that the options do not answer.
   */
  async text(content: Content, options: SendOptions = {}): Promise<string> {
    const { message, task } = await this.send(content, options);
    if (message !== undefined) return textOf(message);
    const { state, message: said } = task.status;
    const text = (task.artifacts ?? [])
      .map(textOf)
      .filter((one) => one !== "")
      .join("\n");
    if (state === "TASK_STATE_COMPLETED") return text || (said ? textOf(said) : "");
    throw (await import("./lazy.js")).notCompleted(this.card.name, task, text);
  }

  /**
   * Sends a message and waits for the answer, however long it takes: for a message, or for the task to end or
   * to wait for its caller. With `returnImmediately` it resolves to the task as it is first.
   */
  async send(content: Content, options: SendOptions = {}): Promise<SendMessageResponse> {
    if (options.returnImmediately === true) return this.#sendOnly(content, options);
    const delivered = new Delivered(undefined, this.#context.maxAnswerBytes);
    for await (const batch of converse(this.#context, content, options, delivered)) {
      for (const { message } of batch) if (message !== undefined) return { message };
    }
    return answerOf(delivered);
  }

  /** Sends a message and yields what happens as it happens. Goes on when the connection is lost. */
  stream(content: Content, options: SendOptions = {}): AsyncGenerator<AgentEvent, void, void> {
    return eventsOf(converse(this.#context, content, options));
  }

  /** Sends a message that begins a task, and does not wait for the task. Some agents answer with a message. */
  async start(
    content: Content,
    options: SendOptions = {},
  ): Promise<TaskHandle | { readonly kind: "message"; readonly message: Message }> {
    const sent = await this.send(content, { ...options, returnImmediately: true });
    if (sent.message !== undefined) return { kind: "message", message: sent.message };
    return new (await import("./lazy.js")).TaskHandle(this, sent.task, options);
  }

  /** Watches a task from its present state until it has ended. Goes on when the connection is lost. */
  watch(taskId: string, options: WatchOptions = {}): AsyncGenerator<AgentEvent, void, void> {
    return eventsOf(watchTask(this.#context, taskId, options));
  }

  async task(
    taskId: string,
    options: CallOptions & { readonly historyLength?: number } = {},
  ): Promise<Task> {
    const request = { id: taskId, ...pick(options, "historyLength") };
    return this.service.getTask(request, createCallContext(this.#context, options));
  }

  /** Cancels a task. Resolves to the task too if it is canceled already; rejects if it has ended otherwise. */
  async cancel(taskId: string, options: CallOptions = {}): Promise<Task> {
    const call = createCallContext(this.#context, options);
    return this.service.cancelTask({ id: taskId }, call).catch(async (refusal: unknown) => {
      const later = await import("./lazy.js");
      return later.canceledAlready(refusal, () => this.task(taskId, options));
    });
  }

  /** All tasks that match the filter, page after page. */
  async *tasks(
    filter: ListTasksRequest = {},
    options: CallOptions = {},
  ): AsyncGenerator<Task, void, void> {
    const { listPages } = await import("./lazy.js");
    yield* listPages(this.service, filter, createCallContext(this.#context, options));
  }

  /** The card for authenticated callers. */
  async extendedCard(options: CallOptions = {}): Promise<AgentCard> {
    if (this.card.capabilities.extendedAgentCard !== true) {
      const message = `the card of ${this.card.name} declares no extended card`;
      throw new A2AError("UNSUPPORTED_OPERATION", message);
    }
    return this.service.getExtendedAgentCard({}, createCallContext(this.#context, options));
  }

  /**
   * Calls a method that an extension of the agent defines: `call("acme/quote", { symbol }, { extensions: [uri] })`.
   * The result is what the agent answers with; `Result` says what the program takes it for.
   */
  async call<Result = JsonValue>(
    method: string,
    params: JsonObject = {},
    options: CallOptions = {},
  ): Promise<Result> {
    const context = createCallContext(this.#context, options);
    return this.service.callMethod({ method, params }, context) as Promise<Result>;
  }

  /** Sends a message and takes the agent's first answer. */
  async #sendOnly(content: Content, options: SendOptions): Promise<SendMessageResponse> {
    const { request, call } = await createMessage(this.#context, content, options);
    // In 0.1 a send always waits for the end of the task; a stream begins at once.
    if (this.version !== "0.1") return this.service.sendMessage(request, call);
    const delivered = new Delivered();
    for await (const { response } of this.service.sendStreamingMessage(request, call)) {
      delivered.add(response);
      break;
    }
    return answerOf(delivered);
  }
}

function answerOf(delivered: Delivered): SendMessageResponse {
  const task = delivered.task();
  if (task !== undefined) return { task };
  throw new A2AError("INVALID_AGENT_RESPONSE", "the agent answered nothing");
}
