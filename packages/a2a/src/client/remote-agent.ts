import { A2AError } from "../protocol/index.js";
import type {
  AgentCard,
  AgentService,
  CallContext,
  JsonObject,
  ListTasksRequest,
  Message,
  Part,
  ProtocolVersion,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  StreamEvent,
  StreamResponse,
  Task,
} from "../protocol/index.js";
import { follow } from "./follow.js";
import type { Timers } from "./timers.js";

/** What a message is made of: text, one part, or several. */
export type Content = string | Part | readonly (string | Part)[];

export interface SendOptions extends SendMessageConfiguration {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly referenceTaskIds?: readonly string[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly signal?: AbortSignal;
  /** Makes a repeated send answer with the first one's result, where the agent offers it. */
  readonly idempotencyKey?: string;
}

/** An event of a stream, told apart by `kind`. */
export type AgentEvent =
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "task"; readonly task: Task }
  | ({ readonly kind: "status" } & NonNullable<StreamResponse["statusUpdate"]>)
  | ({ readonly kind: "artifact" } & NonNullable<StreamResponse["artifactUpdate"]>);

export interface RemoteAgentOptions {
  readonly card: AgentCard;
  readonly service: AgentService;
  readonly version: ProtocolVersion;
  readonly binding: string;
  readonly timers: Timers;
  readonly newId: () => string;
}

const maxAttempts = 10;
const stallMs = 120_000;
const pollMs = 2000;

/** Someone else's agent: its card, the eleven operations, and shorter ways to the common ones. */
export class RemoteAgent {
  readonly card: AgentCard;
  /** The eleven operations as they are, for everything that has no shorter way. */
  readonly service: AgentService;
  /** The protocol version that was chosen. */
  readonly version: ProtocolVersion;
  readonly binding: string;
  readonly #timers: Timers;
  readonly #newId: () => string;

  constructor(options: RemoteAgentOptions) {
    this.card = options.card;
    this.service = options.service;
    this.version = options.version;
    this.binding = options.binding;
    this.#timers = options.timers;
    this.#newId = options.newId;
  }

  /** Sends a message and gives the text of the answer: of the message, or of the task's artifacts. */
  async text(content: Content, options: SendOptions = {}): Promise<string> {
    const { message, task } = await this.send(content, options);
    if (message !== undefined) return textOf(message.parts);
    const { state, message: said } = task.status;
    if (state === "TASK_STATE_COMPLETED" || said === undefined) {
      return (task.artifacts ?? []).map(({ parts }) => textOf(parts)).join("\n");
    }
    return textOf(said.parts);
  }

  /** Sends a message and waits for the answer. */
  async send(content: Content, options: SendOptions = {}): Promise<SendMessageResponse> {
    return this.service.sendMessage(this.#request(content, options), this.#call(options));
  }

  /** Sends a message and gives what happens, as it happens, whatever happens to the connection. */
  async *stream(
    content: Content,
    options: SendOptions = {},
  ): AsyncGenerator<AgentEvent, void, void> {
    const call = this.#call(options);
    const first = this.#open(this.#request(content, options), call);
    for await (const { response } of this.#follow(first, call, true)) yield eventOf(response);
  }

  /** Watches a task, from its present state until it has ended. */
  async *watch(
    taskId: string,
    options: Pick<SendOptions, "signal"> = {},
  ): AsyncGenerator<AgentEvent, void, void> {
    const call = this.#call(options);
    const first = this.service.subscribeToTask({ id: taskId }, call);
    for await (const { response } of this.#follow(first, call, false)) yield eventOf(response);
  }

  async task(taskId: string, options: { readonly historyLength?: number } = {}): Promise<Task> {
    return this.service.getTask({ id: taskId, ...options }, this.#call({}));
  }

  async cancel(taskId: string): Promise<Task> {
    return this.service.cancelTask({ id: taskId }, this.#call({}));
  }

  /** All tasks that match, page after page. */
  async *tasks(filter: ListTasksRequest = {}): AsyncGenerator<Task, void, void> {
    let pageToken = filter.pageToken;
    do {
      const page = await this.service.listTasks(
        { ...filter, ...(pageToken !== undefined && { pageToken }) },
        this.#call({}),
      );
      yield* page.tasks;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** Agents that do not stream are asked once, and their task is looked at from then on. */
  async *#open(
    request: SendMessageRequest,
    call: CallContext,
  ): AsyncGenerator<StreamEvent, void, void> {
    if (this.card.capabilities.streaming !== false) {
      yield* this.service.sendStreamingMessage(request, call);
      return;
    }
    const configuration = { ...request.configuration, returnImmediately: true };
    const sent = await this.service.sendMessage({ ...request, configuration }, call);
    yield { response: sent.task === undefined ? { message: sent.message } : { task: sent.task } };
  }

  #follow(
    first: AsyncIterable<StreamEvent>,
    call: CallContext,
    endsAtInterruption: boolean,
  ): AsyncGenerator<StreamEvent, void, void> {
    const { service } = this;
    const timers = this.#timers;
    return follow(first, {
      service,
      call,
      timers,
      maxAttempts,
      stallMs,
      pollMs,
      endsAtInterruption,
    });
  }

  #request(content: Content, options: SendOptions): SendMessageRequest {
    const { taskId, contextId, referenceTaskIds, metadata, ...rest } = options;
    const { extensions, signal: _, idempotencyKey: __, ...configuration } = rest;
    return {
      message: {
        messageId: this.#newId(),
        role: "ROLE_USER",
        parts: partsOf(content),
        ...(taskId !== undefined && { taskId }),
        ...(contextId !== undefined && { contextId }),
        ...(referenceTaskIds !== undefined && { referenceTaskIds }),
        ...(extensions !== undefined && { extensions }),
      },
      ...(Object.keys(configuration).length > 0 && { configuration }),
      ...(metadata !== undefined && { metadata }),
    };
  }

  #call({ extensions, signal, idempotencyKey }: SendOptions): CallContext {
    return {
      version: this.version,
      ...(extensions !== undefined && { extensions }),
      ...(signal !== undefined && { signal }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
  }
}

function eventOf(response: StreamResponse): AgentEvent {
  if (response.message) return { kind: "message", message: response.message };
  if (response.task) return { kind: "task", task: response.task };
  if (response.statusUpdate) return { kind: "status", ...response.statusUpdate };
  if (response.artifactUpdate) return { kind: "artifact", ...response.artifactUpdate };
  throw new A2AError("INTERNAL", "an event of no kind");
}

function partsOf(content: Content): readonly Part[] {
  if (typeof content === "string") return [{ text: content }];
  if (!isList(content)) return [content];
  return content.map((item) => (typeof item === "string" ? { text: item } : item));
}

function isList(content: Part | readonly (string | Part)[]): content is readonly (string | Part)[] {
  return Array.isArray(content);
}

function textOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.text === undefined ? [] : [part.text])).join("");
}
