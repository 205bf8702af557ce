import { setTimeout as sleep } from "node:timers/promises";
import { A2AError, isTerminal } from "@parley/a2a";
import type { ErrorCode, RequestOf, StreamEvent, StreamResponse, Task } from "@parley/a2a";
import type { CallContext } from "@parley/a2a";
import type { RemoteAgent } from "@parley/a2a/client";
import { digestTask } from "@parley/a2a/testing";
import type { CallOutcome } from "@parley/a2a/testing";
import { eventIdUri } from "../../src/protocol/internal.js";
import type { OpenCall, OpenStream, Recorder } from "./recorder.js";

/** Errors by which a server says that it has not done what was asked. With any other it may have. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "TASK_NOT_FOUND",
  "TASK_NOT_CANCELABLE",
  "UNSUPPORTED_OPERATION",
  "INVALID_PARAMS",
  "INVALID_REQUEST",
]);

export interface Sending {
  readonly text: string;
  readonly taskId?: string;
  readonly messageId?: string;
  readonly key?: string;
  readonly immediate?: boolean;
  readonly push?: { readonly id: string; readonly url: string };
}

interface CallerOptions {
  readonly agent: RemoteAgent;
  /** For watching, where the caller has less patience with silence: streams have heartbeats. */
  readonly watched?: RemoteAgent;
  readonly recorder: Recorder;
  readonly newId: () => string;
  /** How long a call may take before its caller gives up and does not know what came of it. */
  readonly timeoutMs: number;
  /** Aborted when the watchers are to look no more. */
  readonly signal: AbortSignal;
}

/** A caller over one interface that writes down what it sends and sees. It repeats nothing by itself. */
export class Caller {
  readonly #agent: RemoteAgent;
  readonly #watched: RemoteAgent;
  readonly #recorder: Recorder;
  readonly #newId: () => string;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal;

  constructor({ agent, watched = agent, recorder, newId, timeoutMs, signal }: CallerOptions) {
    this.#agent = agent;
    this.#watched = watched;
    this.#recorder = recorder;
    this.#newId = newId;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
  }

  /** The interface, for people. */
  get name(): string {
    return `${this.#agent.binding} ${this.#agent.version}`;
  }

  /** Sends a message; resolves to the task, or to nothing where the answer is lost or a refusal. */
  async send(sending: Sending): Promise<Task | undefined> {
    const { request, call } = this.#message(sending);
    return this.#try(this.#beginSend(request, sending), async () => {
      const { task } = await this.#agent.service.sendMessage(request, {
        ...call,
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      return task;
    });
  }

  get(id: string): Promise<Task | undefined> {
    const call = this.#recorder.begin({ operation: "get", taskId: id });
    return this.#try(call, () => this.#agent.service.getTask({ id }, this.#timed()));
  }

  cancel(id: string): Promise<Task | undefined> {
    const call = this.#recorder.begin({ operation: "cancel", taskId: id });
    return this.#try(call, () => this.#agent.service.cancelTask({ id }, this.#timed()));
  }

  async configure(taskId: string, id: string, url: string): Promise<void> {
    const call = this.#recorder.begin({ operation: "configure", taskId, configId: id });
    await this.#try(call, async () => {
      const request = { taskId, id, url };
      await this.#agent.service.createTaskPushNotificationConfig(request, this.#timed());
      return undefined;
    });
  }

  /** Sends a message and watches what comes of it, over as many connections as it takes. */
  async stream(sending: Sending): Promise<OpenStream> {
    const { request, call } = this.#message(sending);
    const sent = this.#beginSend(request, sending);
    const stream = this.#recorder.open(`${this.name} ${request.message.messageId}`);
    let isAnswered = false;
    try {
      const open = (signal: AbortSignal): AsyncIterable<StreamEvent> =>
        this.#watched.service.sendStreamingMessage(request, { ...call, signal });
      const isOver = await this.#read(stream, open, true, (taskId, response) => {
        if (isAnswered) return;
        isAnswered = true;
        const digest = response.task && digestTask(response.task);
        this.#recorder.end(sent, { outcome: "answered", taskId, ...(digest && { digest }) });
      });
      if (isOver) return stream;
    } catch (error) {
      if (!isAnswered) {
        this.#recorder.end(sent, { outcome: outcomeOf(error), error: String(error) });
        return stream;
      }
    }
    return this.#reconnect(stream);
  }

  /** Watches a task, over as many connections as it takes, until it has ended. */
  watch(taskId: string): Promise<OpenStream> {
    return this.#reconnect(this.#recorder.open(`${this.name} ${this.#newId()}`, taskId));
  }

  /** Goes on with a stream until the server ends it, or nobody looks any more. */
  async #reconnect(stream: OpenStream): Promise<OpenStream> {
    const { taskId: id } = stream;
    if (id === undefined) return stream;
    while (!this.#signal.aborted) {
      const last = stream.events.findLast((event) => event.id !== undefined)?.id;
      const call = { ...this.#call(), ...(last !== undefined && { resumeAfter: last }) };
      const open = (signal: AbortSignal): AsyncIterable<StreamEvent> =>
        this.#watched.service.subscribeToTask({ id }, { ...call, signal });
      try {
        if (await this.#read(stream, open, false)) return stream;
      } catch (error) {
        if (outcomeOf(error) === "refused") {
          // The task has ended, and the watcher has not seen an event by which it could resume.
          stream.outcome = "left";
          return stream;
        }
      }
      await sleep(200, undefined, { signal: this.#signal }).catch(() => undefined);
    }
    return stream;
  }

  /** Reads one connection; true when the stream has come to its end. Gives up on one that does not begin. */
  async #read(
    stream: OpenStream,
    open: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
    isSend: boolean,
    onEvent: (taskId: string, response: StreamResponse) => void = () => undefined,
  ): Promise<boolean> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), this.#timeoutMs);
    const signal = AbortSignal.any([this.#signal, silence.signal]);
    try {
      return await this.#readAll(stream, open(signal), isSend, (taskId, response) => {
        clearTimeout(timer);
        onEvent(taskId, response);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async #readAll(
    stream: OpenStream,
    events: AsyncIterable<StreamEvent>,
    isSend: boolean,
    onEvent: (taskId: string, response: StreamResponse) => void,
  ): Promise<boolean> {
    for await (const { response, sequence } of events) {
      const { task, statusUpdate, artifactUpdate } = response;
      const taskId = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
      if (taskId === undefined) continue;
      stream.taskId = taskId;
      this.#recorder.see(stream, response, sequence);
      onEvent(taskId, response);
      const state = task?.status.state ?? statusUpdate?.status.state;
      if (state === undefined) continue;
      if (!isTerminal(state) && !(isSend && state === "TASK_STATE_INPUT_REQUIRED")) continue;
      stream.outcome = "ended";
      return true;
    }
    return false;
  }

  async #try(call: OpenCall, work: () => Promise<Task | undefined>): Promise<Task | undefined> {
    try {
      const task = await work();
      const shown = task && { taskId: task.id, digest: digestTask(task) };
      this.#recorder.end(call, { outcome: "answered", ...shown });
      return task;
    } catch (error) {
      this.#recorder.end(call, { outcome: outcomeOf(error), error: String(error) });
      return undefined;
    }
  }

  #beginSend({ message }: RequestOf<"sendMessage">, { taskId, key }: Sending): OpenCall {
    return this.#recorder.begin({
      operation: "send",
      messageId: message.messageId,
      ...(taskId !== undefined && { taskId }),
      ...(key !== undefined && { key }),
    });
  }

  #message({ text, taskId, messageId, key, immediate, push }: Sending): {
    readonly request: RequestOf<"sendMessage">;
    readonly call: CallContext;
  } {
    const request = {
      message: {
        messageId: messageId ?? this.#newId(),
        role: "ROLE_USER",
        parts: [{ text }],
        ...(taskId !== undefined && { taskId }),
      },
      configuration: {
        returnImmediately: immediate ?? false,
        ...(push !== undefined && { taskPushNotificationConfig: push }),
      },
    } as const;
    return {
      request,
      call: { ...this.#call(), ...(key !== undefined && { idempotencyKey: key }) },
    };
  }

  #call(): CallContext {
    return { version: this.#agent.version, extensions: [eventIdUri] };
  }

  #timed(): CallContext {
    return { ...this.#call(), signal: AbortSignal.timeout(this.#timeoutMs) };
  }
}

function outcomeOf(error: unknown): CallOutcome {
  return A2AError.is(error) && refusals.has(error.code) ? "refused" : "unknown";
}
