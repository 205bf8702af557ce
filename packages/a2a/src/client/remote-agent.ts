import { A2AError } from "../protocol/internal.js";
import type {
  AgentCard,
  AgentService,
  CallContext,
  ListTasksRequest,
  Message,
  ProtocolVersion,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  StreamEvent,
  StreamResponse,
  Task,
} from "../protocol/internal.js";
import type { CardVerification } from "../wire/internal.js";
import { eventOf } from "./agent-event.js";
import type { AgentEvent } from "./agent-event.js";
import { partsOf, textOf } from "./content.js";
import type { Content } from "./content.js";
import type { CallOptions, Patience, SendOptions, WatchOptions } from "./call-options.js";
import { Delivered } from "./follow/delivered.js";
import { follow } from "./follow/follow.js";
import type { FollowOptions } from "./follow/follow.js";
import { lookAgain } from "./follow/poll-task.js";
import { pick } from "./pick.js";
import { withRetries } from "./calls/retry.js";
import { TaskHandle } from "./task-handle.js";
import type { Timers } from "./timers.js";

export interface RemoteAgentOptions {
  readonly card: AgentCard;
  readonly service: AgentService;
  readonly version: ProtocolVersion;
  readonly binding: string;
  readonly url: string;
  readonly timers: Timers;
  readonly newId: () => string;
  readonly patience: Patience;
  readonly signature?: CardVerification;
  readonly extensions?: readonly string[];
}

/** Someone else's agent: its card, the eleven operations, and shorter ways to the common ones. */
export class RemoteAgent {
  readonly card: AgentCard;
  /** The eleven operations as they are, for everything that has no shorter way. */
  readonly service: AgentService;
  /** The protocol version that was chosen. */
  readonly version: ProtocolVersion;
  readonly binding: string;
  /** The URL of the interface that was chosen. */
  readonly url: string;
  /** What the card's signatures are worth, where `connect` was told how to verify them. */
  readonly signature: CardVerification | undefined;
  readonly #options: RemoteAgentOptions;

  constructor(options: RemoteAgentOptions) {
    const { timers, patience } = options;
    this.card = options.card;
    this.service = withRetries(options.service, { timers, maxAttempts: patience.maxAttempts });
    this.version = options.version;
    this.binding = options.binding;
    this.url = options.url;
    this.signature = options.signature;
    this.#options = options;
  }

  /** Sends a message and gives the text of the answer: of the message, or of the task's artifacts. */
  async text(content: Content, options: SendOptions = {}): Promise<string> {
    const { message, task } = await this.send(content, options);
    if (message !== undefined) return textOf(message);
    const { state, message: said } = task.status;
    const artifacts = task.artifacts ?? [];
    if (said === undefined || (state === "TASK_STATE_COMPLETED" && artifacts.length > 0)) {
      const texts = artifacts.map(textOf).filter((text) => text !== "");
      return texts.join("\n");
    }
    return textOf(said);
  }

  /**
   * Sends a message and waits for the answer, however long it takes: for the message, or for the task
   * to end or to wait for its caller. With `returnImmediately` for the task as it is first.
   */
  async send(content: Content, options: SendOptions = {}): Promise<SendMessageResponse> {
    const delivered = new Delivered();
    if (options.returnImmediately === true) {
      const request = await this.#request(content, options);
      const call = this.#call(options);
      // In 0.1 a send always waits for the end; a stream does not.
      if (this.version !== "0.1") return this.service.sendMessage(request, call);
      for await (const { response } of this.service.sendStreamingMessage(request, call)) {
        delivered.add(response);
        break;
      }
      return answerOf(delivered);
    }
    for await (const { message } of this.#converse(content, options, delivered)) {
      if (message !== undefined) return { message };
    }
    return answerOf(delivered);
  }

  /** Sends a message and gives what happens, as it happens, whatever happens to the connection. */
  async *stream(
    content: Content,
    options: SendOptions = {},
  ): AsyncGenerator<AgentEvent, void, void> {
    for await (const response of this.#converse(content, options, new Delivered())) {
      yield eventOf(response);
    }
  }

  /** Sends a message that begins a task, and does not wait for it. Some agents answer with a message. */
  async start(
    content: Content,
    options: SendOptions = {},
  ): Promise<TaskHandle | { readonly kind: "message"; readonly message: Message }> {
    const sent = await this.send(content, { ...options, returnImmediately: true });
    if (sent.message !== undefined) return { kind: "message", message: sent.message };
    return new TaskHandle(this, sent.task, options);
  }

  /** Watches a task, from its present state until it has ended. */
  async *watch(taskId: string, options: WatchOptions = {}): AsyncGenerator<AgentEvent, void, void> {
    const events = this.#follow(
      (call) => this.service.subscribeToTask({ id: taskId }, call),
      options,
      {
        operation: "subscribeToTask",
        until: options.until ?? "ended",
        delivered: new Delivered(taskId),
      },
    );
    for await (const response of events) yield eventOf(response);
  }

  async task(
    taskId: string,
    options: CallOptions & { readonly historyLength?: number } = {},
  ): Promise<Task> {
    const request = { id: taskId, ...pick(options, "historyLength") };
    return this.service.getTask(request, this.#call(options));
  }

  async cancel(taskId: string, options: CallOptions = {}): Promise<Task> {
    return this.service.cancelTask({ id: taskId }, this.#call(options));
  }

  /** All tasks that match, page after page. */
  async *tasks(
    filter: ListTasksRequest = {},
    options: CallOptions = {},
  ): AsyncGenerator<Task, void, void> {
    let request = filter;
    do {
      const page = await this.service.listTasks(request, this.#call(options));
      yield* page.tasks;
      request = { ...filter, pageToken: page.nextPageToken };
    } while (request.pageToken !== "");
  }

  /** The card for callers that have authenticated. */
  async extendedCard(options: CallOptions = {}): Promise<AgentCard> {
    if (this.card.capabilities.extendedAgentCard !== true) {
      const message = `the card of ${this.card.name} declares no extended card`;
      throw new A2AError("UNSUPPORTED_OPERATION", message);
    }
    return this.service.getExtendedAgentCard({}, this.#call(options));
  }

  /** Sends, and answers the agent's questions where the caller has answers. */
  async *#converse(
    content: Content,
    options: SendOptions,
    delivered: Delivered,
  ): AsyncGenerator<StreamResponse, void, void> {
    let request = await this.#request(content, options);
    let target = options;
    for (;;) {
      const sent = request;
      yield* this.#follow((call) => this.#open(sent, call), target, {
        operation: "sendStreamingMessage",
        until: "settled",
        delivered,
      });
      const task = delivered.task();
      if (task === undefined) return;
      const answer = await answerTo(task, options);
      if (answer === undefined && isWaitingForAuthorization(task, options)) {
        yield* this.#follow((call) => this.service.subscribeToTask({ id: task.id }, call), target, {
          operation: "subscribeToTask",
          until: "ended",
          delivered,
        });
        return;
      }
      if (answer === undefined) return;
      delivered.goOn();
      const { idempotencyKey: _, ...others } = options;
      target = { ...others, taskId: task.id, ...pick(task, "contextId") };
      request = await this.#request(answer, target);
    }
  }

  /** Agents that do not stream are asked once, and their task is looked at from then on. */
  async *#open(
    request: SendMessageRequest,
    call: CallContext,
  ): AsyncGenerator<StreamEvent, void, void> {
    const { service, timers, patience } = this.#options;
    if (this.card.capabilities.streaming === true) {
      let hasBegun = false;
      try {
        for await (const event of service.sendStreamingMessage(request, call)) {
          hasBegun = true;
          yield event;
        }
        return;
      } catch (error) {
        // Any other refusal may come after the agent has begun; the message is not sent twice.
        if (hasBegun || !A2AError.is(error) || error.code !== "METHOD_NOT_FOUND") throw error;
      }
    }
    const configuration = { ...request.configuration, returnImmediately: true };
    const sent = await service.sendMessage({ ...request, configuration }, call);
    if (sent.message !== undefined) {
      yield { response: { message: sent.message } };
      return;
    }
    const { id } = sent.task;
    yield { response: { task: sent.task } };
    yield* lookAgain(() => service.getTask({ id }, call), {
      call,
      timers,
      pollMs: patience.pollMs,
    });
  }

  #follow(
    first: (call: CallContext) => AsyncIterable<StreamEvent>,
    options: SendOptions,
    how: Pick<FollowOptions, "operation" | "until" | "delivered">,
  ): AsyncGenerator<StreamResponse, void, void> {
    const { service, timers, patience } = this.#options;
    const { maxAttempts: maxCalls, maxReconnects: maxAttempts, stallMs, pollMs } = patience;
    return follow(first, {
      ...how,
      service,
      call: this.#call(options),
      timers,
      maxAttempts,
      maxCalls,
      stallMs,
      pollMs,
      onReconnect: options.onReconnect,
    });
  }

  async #request(content: Content, options: SendOptions): Promise<SendMessageRequest> {
    const configuration: SendMessageConfiguration = pick(
      options,
      "acceptedOutputModes",
      "historyLength",
      "returnImmediately",
      "taskPushNotificationConfig",
    );
    return {
      message: {
        messageId: this.#options.newId(),
        role: "ROLE_USER",
        parts: await partsOf(content),
        ...pick(options, "taskId", "contextId", "referenceTaskIds", "extensions"),
      },
      ...(Object.keys(configuration).length > 0 && { configuration }),
      ...pick(options, "metadata"),
    };
  }

  #call(options: CallOptions & Pick<SendOptions, "idempotencyKey">): CallContext {
    return {
      version: this.version,
      ...pick(this.#options, "extensions"),
      ...pick(options, "extensions", "signal", "idempotencyKey", "serviceParameters"),
      observer: pick(options, "onExtensions"),
    };
  }
}

function answerOf(delivered: Delivered): SendMessageResponse {
  const task = delivered.task();
  if (task === undefined) throw new A2AError("INVALID_AGENT_RESPONSE", "the agent said nothing");
  return { task };
}

async function answerTo(task: Task, options: SendOptions): Promise<Content | undefined> {
  const { state, message } = task.status;
  if (state === "TASK_STATE_INPUT_REQUIRED") return options.onInputRequired?.(message, task);
  if (state === "TASK_STATE_AUTH_REQUIRED") return options.onAuthRequired?.(message, task);
  return undefined;
}

function isWaitingForAuthorization({ status }: Task, { onAuthRequired }: SendOptions): boolean {
  return status.state === "TASK_STATE_AUTH_REQUIRED" && onAuthRequired !== undefined;
}
