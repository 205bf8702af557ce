import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "@parley/a2a";
import type {
  A2AError,
  AgentCard,
  RequestOf,
  SendMessageResponse,
  Task,
  TaskPushNotificationConfig,
} from "@parley/a2a";
import {
  isSettled,
  isWorking,
  probeMessage,
  stateOf,
  taskIdOf,
  unknownTaskId,
} from "../probe/probe-message.js";
import { endTasks } from "../probe/end-tasks.js";
import type { Outcome, ProbeOptions, Session, Streamed } from "../probe/session.js";
import type { OutgoingRequest } from "../probe/tap.js";
import type { Target } from "@parley/inspector/probe";
import { asObject } from "./wire-json.js";
import type { Json } from "./wire-json.js";

export interface ConformanceOptions {
  /** What to send; best is what makes the agent open a task and finish it. */
  readonly message: string;
  /** What keeps the agent at work for a second or more; without it some requirements cannot be seen. */
  readonly slowMessage?: string;
}

/** How a message differs from the usual one. */
export interface SendVariation extends Omit<Partial<RequestOf<"sendMessage">>, "message"> {
  readonly message?: Partial<RequestOf<"sendMessage">["message"]>;
}

/** A host that never exists (RFC 2606), so that nobody is notified. */
export const webhook = "https://parley-conformance.invalid/hook";

const pollMs = 50;

/**
 * An interface under examination. What several checks look at is done once, when the first asks for it, and kept.
 */
export class Subject {
  readonly session: Session;
  readonly target: Target;
  readonly options: ConformanceOptions;
  readonly #done = new Map<string, Promise<unknown>>();
  readonly #begun = new Set<string>();

  constructor(target: Target, session: Session, options: ConformanceOptions) {
    this.target = target;
    this.session = session;
    this.options = options;
  }

  get card(): AgentCard {
    return this.target.card;
  }

  get isRest(): boolean {
    return this.session.declared.protocolBinding === "HTTP+JSON";
  }

  /** What `make` gives, made once. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = this.#done.get(name) ?? make();
    this.#done.set(name, made);
    return made as Promise<T>;
  }

  /** The answer to the message, waited for. */
  sent(): Promise<Outcome<SendMessageResponse>> {
    return this.once("sent", () => this.send(this.options.message));
  }

  /** Sends a text, and notes the task that it begins. */
  async send(
    text: string,
    more: SendVariation = {},
    options: ProbeOptions = {},
  ): Promise<Outcome<SendMessageResponse>> {
    const { message, ...rest } = more;
    const outcome = await this.session.call(
      "sendMessage",
      { ...probeMessage(text, message), ...rest },
      options,
    );
    this.note(outcome.result?.task?.id);
    return outcome;
  }

  /** A task that has ended, as it was answered; `undefined` if the agent answers without tasks. */
  async ended(): Promise<Task | undefined> {
    const { result } = await this.sent();
    return result?.task !== undefined && isTerminal(result.task.status.state)
      ? result.task
      : undefined;
  }

  /** The read of the task that has ended. */
  async read(): Promise<Outcome<Task> | undefined> {
    const task = await this.ended();
    return task && this.once("read", () => this.session.call("getTask", { id: task.id }));
  }

  /** The stream of the message. */
  streamed(): Promise<Streamed> {
    return this.once("streamed", async () => {
      const streamed = await this.session.stream(
        "sendStreamingMessage",
        probeMessage(this.options.message),
      );
      for (const { response } of streamed.arrivals) this.note(taskIdOf(response));
      return streamed;
    });
  }

  /** A task at work, begun for the check alone; `undefined` if none can be had. */
  async begin(): Promise<Outcome<SendMessageResponse> | undefined> {
    const { slowMessage } = this.options;
    if (slowMessage === undefined) return undefined;
    const outcome = await this.send(slowMessage, { configuration: { returnImmediately: true } });
    const { task } = outcome.result ?? {};
    return task !== undefined && isWorking(task) ? outcome : undefined;
  }

  /** Waits for a task to end or to wait for its caller. */
  async settle(id: string): Promise<Task | undefined> {
    const until = performance.now() + this.target.timeoutMs;
    for (;;) {
      const { result } = await this.session.call("getTask", { id });
      if (result === undefined || !isWorking(result) || performance.now() > until) return result;
      await sleep(pollMs);
    }
  }

  /** A webhook that is registered for the task that has ended; `undefined` if there is no such task. */
  async registered(): Promise<Outcome<TaskPushNotificationConfig> | undefined> {
    const task = await this.ended();
    return (
      task &&
      this.once("registered", () =>
        this.session.call("createTaskPushNotificationConfig", {
          taskId: task.id,
          url: webhook,
          token: "a token of the check",
        }),
      )
    );
  }

  /** Remembers a task, so that it does not stay at work. */
  note(id: string | undefined): void {
    if (id !== undefined) this.#begun.add(id);
  }

  /** Cancels what was begun and is still at work. */
  end(): Promise<void> {
    return endTasks(this.session, this.#begun);
  }
}

/** The error of reading a task that does not exist. */
export async function unknownRead(subject: Subject): Promise<Outcome<Task>> {
  return subject.once("unknown", () => subject.session.call("getTask", { id: unknownTaskId() }));
}

/** Changes the parameters of a request over JSON-RPC or REST. */
export function alterParams(
  change: (params: Json) => Json,
): (request: OutgoingRequest) => OutgoingRequest {
  return (request) => {
    const body = asObject(JSON.parse(request.body ?? "{}"));
    const changed =
      "jsonrpc" in body ? { ...body, params: change(asObject(body["params"])) } : change(body);
    return { ...request, body: JSON.stringify(changed) };
  };
}

/** Changes the message of a request to send one. */
export function alterMessage(
  change: (message: Json) => Json,
): (request: OutgoingRequest) => OutgoingRequest {
  return alterParams((params) => ({ ...params, message: change(asObject(params["message"])) }));
}

/** An error in words, for what a check found. */
export function told({ error }: { readonly error?: A2AError }): string {
  return error === undefined ? "a result" : `${error.code}: ${error.message}`.slice(0, 300);
}

/** Whether a stream has told the end of its task, a question, or a message. */
export function isComplete({ arrivals }: Streamed): boolean {
  return arrivals.some(({ response }) => {
    const state = stateOf(response);
    return response.message !== undefined || (state !== undefined && isSettled(state));
  });
}
