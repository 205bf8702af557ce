import { createDeferred } from "../async/internal.js";
import { createMessage } from "../client/internal.js";
import type { Content, SendOptions } from "../client/internal.js";
import { isInterrupted, isTerminal, textOf } from "../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  Message,
  Part,
  SendMessageRequest,
  StreamEvent,
  StreamResponse,
  Task,
} from "../protocol/internal.js";

/** What a caller says, as the client's `send` takes it: text, parts, files, or a list of these. */
export type Said = Content;

/** What a caller may say along with its first message. */
export type SaidWith = Pick<
  SendOptions,
  "acceptedOutputModes" | "contextId" | "metadata" | "referenceTaskIds"
>;

/** One conversation with the agent of a trial, from its first message on. */
export interface Talk {
  /** The id of the task; absent when the agent replied directly. */
  readonly taskId: string | undefined;
  /** Everything that the agent has told the caller so far, as a client would receive it, in order. */
  readonly updates: readonly StreamResponse[];
  /** Waits until the agent asks, and gives the words of its question. Throws when the task ends instead. */
  question(): Promise<string>;
  /** Waits until the agent asks, and answers. */
  answer(answer: Said): Promise<void>;
  /** Sends a message to the task, whether or not the agent has asked. */
  say(message: Said): Promise<void>;
  /** Cancels the task. */
  cancel(): Promise<void>;
  /**
   * Waits until the task has completed, and gives the text of an artifact, or of the direct reply. Throws, with what
   * the agent reported, when the task ends otherwise or waits for an answer.
   *
   * @param artifactId Default: `answer`, which is where strings that a handler yields or returns go.
   */
  text(artifactId?: string): Promise<string>;
  /** Waits until the task has ended or waits for an answer, and gives it. Throws when the agent replied directly. */
  task(): Promise<Task>;
  /**
   * Waits until a condition on the updates holds, for tests that act while the agent works. Throws when the task ends
   * before it holds.
   *
   * @param what What the test waits for, in words for its error.
   */
  until(condition: (updates: readonly StreamResponse[]) => boolean, what?: string): Promise<void>;
}

/** What a talk needs of its trial. */
export interface TalkParts {
  /** The node that answers at the moment. */
  readonly service: () => AgentService;
  readonly call: CallContext;
  readonly patienceMs: number;
  /** What the nodes have reported of a task. */
  readonly reportsOf: (taskId: string) => readonly unknown[];
}

let messages = 0;

/** The caller's side of one task. It follows the task wherever that goes. */
export class TrialTalk implements Talk {
  readonly updates: StreamResponse[] = [];
  readonly #parts: TalkParts;
  #taskId: string | undefined;
  #reply: Message | undefined;
  #last: number | undefined;
  #leave = new AbortController();
  /** Settles when another node answers: what the one before was asked for may never come. */
  #moved = createDeferred<undefined>();
  /** Rejects when the trial is closed. */
  readonly #closed = createDeferred<never>();
  #isClosed = false;

  private constructor(parts: TalkParts) {
    this.#parts = parts;
    // Most tests wait for nothing when their trial is closed.
    this.#closed.promise.catch(() => undefined);
  }

  /** Resolves once the agent has replied, or has a task. */
  static async begin(parts: TalkParts, said: Said, options?: SaidWith): Promise<TrialTalk> {
    const talk = new TrialTalk(parts);
    const request = await requestOf(said, options);
    const events = parts
      .service()
      .sendStreamingMessage(request, talk.#call())
      [Symbol.asyncIterator]();
    const first = await talk.#within(
      () => events.next(),
      () => "the agent's first sign of life: a reply, an output, a step or a question",
    );
    if (first.done !== true) talk.#take(first.value);
    void talk.#read(events);
    return talk;
  }

  get taskId(): string | undefined {
    return this.#taskId;
  }

  /** Watches the task through the node that answers now. */
  follow(): void {
    this.leave();
    this.#moved.resolve(undefined);
    this.#moved = createDeferred();
    if (this.#taskId === undefined) return;
    this.#leave = new AbortController();
    const resumed = this.#last === undefined ? {} : { resumeAfter: this.#last };
    const events = this.#parts
      .service()
      .subscribeToTask({ id: this.#taskId }, { ...this.#call(), ...resumed });
    void this.#read(events[Symbol.asyncIterator]());
  }

  leave(): void {
    this.#leave.abort();
  }

  /** Ends the talk with its trial, and what still waits for it. */
  close(): void {
    this.leave();
    this.#isClosed = true;
    this.#closed.reject(closedError());
  }

  async question(): Promise<string> {
    const task = await this.#settled("the agent's question");
    if (isInterrupted(task.status.state)) return wordsOf(task);
    throw this.#problem(`expected a question, but ${describe(task)}`);
  }

  async answer(answer: Said): Promise<void> {
    await this.question();
    await this.say(answer);
  }

  async say(message: Said): Promise<void> {
    const request = await requestOf(message, { taskId: this.#id(), returnImmediately: true });
    const { service, call } = this.#parts;
    await this.#within(
      () => service().sendMessage(request, call),
      () => "the message to be taken",
    );
  }

  async cancel(): Promise<void> {
    const { service, call } = this.#parts;
    const id = this.#id();
    await this.#within(
      () => service().cancelTask({ id }, call),
      () => "the handler to stop; it should heed the signal of its context",
    );
  }

  async text(artifactId = "answer"): Promise<string> {
    this.#check();
    if (this.#reply !== undefined) return textOf(this.#reply);
    const task = await this.#settled("the end of the task");
    if (isInterrupted(task.status.state)) {
      const question = JSON.stringify(wordsOf(task));
      throw this.#problem(`the task waits for an answer to ${question}; call answer() first`);
    }
    if (task.status.state !== "TASK_STATE_COMPLETED") throw this.#problem(describe(task));
    const artifact = task.artifacts?.find((one) => one.artifactId === artifactId);
    if (artifact !== undefined) return joined(artifact.parts);
    const known = task.artifacts?.map((one) => one.artifactId).join(", ") ?? "none";
    throw this.#problem(`the task has no artifact ${artifactId}; it has ${known}`);
  }

  task(): Promise<Task> {
    return this.#settled("the task to end, or to wait for an answer");
  }

  async until(
    condition: (updates: readonly StreamResponse[]) => boolean,
    what = "the condition of until()",
  ): Promise<void> {
    await this.#poll(
      async () => {
        if (condition(this.updates)) return true;
        if (this.#reply !== undefined) throw this.#problem(`expected ${what}, but got a reply`);
        if (!isTerminalState(this.#toldState())) return undefined;
        throw this.#problem(`expected ${what}, but ${describe(await this.#load())}`);
      },
      () => what,
    );
  }

  #call(): CallContext {
    return { ...this.#parts.call, signal: this.#leave.signal };
  }

  #id(): string {
    if (this.#taskId !== undefined) return this.#taskId;
    const reply = this.#reply === undefined ? "nothing" : JSON.stringify(textOf(this.#reply));
    throw new Error(
      `the agent made no task: it replied ${reply}. A handler makes a task when it yields, asks or takes a step`,
    );
  }

  /** The task as soon as it has ended or waits, and everything is told that it had to tell until then. */
  async #settled(what: string): Promise<Task> {
    let last: Task | undefined;
    return this.#poll(
      async () => {
        const task = await Promise.race([this.#load(), this.#moved.promise]);
        if (task === undefined) return undefined;
        last = task;
        const { state } = task.status;
        const isSettled = isInterrupted(state) || isTerminal(state);
        return isSettled && this.#toldState() === state ? task : undefined;
      },
      () => (last === undefined ? what : `${what}; ${describe(last)}`),
    );
  }

  async #load(): Promise<Task> {
    return this.#parts.service().getTask({ id: this.#id() }, this.#parts.call);
  }

  #toldState(): string | undefined {
    const last = this.updates.findLast(({ task, statusUpdate }) => task ?? statusUpdate);
    return last?.task?.status.state ?? last?.statusUpdate?.status.state;
  }

  async #read(events: AsyncIterator<StreamEvent>): Promise<void> {
    const { signal } = this.#leave;
    try {
      for (let next = await events.next(); next.done !== true; next = await events.next()) {
        if (signal.aborted) return;
        this.#take(next.value);
      }
    } catch {
      // The node is gone; the trial lets the talk follow the next one.
      return;
    }
    // The stream of a message ends with a question, and the task goes on.
    if (!signal.aborted && !isTerminalState(this.#toldState())) this.follow();
  }

  #take({ response, sequence }: StreamEvent): void {
    if (sequence !== undefined) this.#last = sequence;
    this.updates.push(response);
    this.#taskId ??= response.task?.id;
    this.#reply ??= response.message;
  }

  #check(): void {
    if (this.#isClosed) throw closedError();
  }

  /** Looks again and again, until there is something to see. */
  async #poll<T>(look: () => Promise<T | undefined>, what: () => string): Promise<T> {
    const seen = createDeferred<T>();
    let isWaiting = true;
    const poll = async (): Promise<void> => {
      while (isWaiting) {
        const found = await look();
        if (found !== undefined) return seen.resolve(found);
        await nextTurn();
      }
    };
    try {
      return await this.#within(() => {
        poll().catch(seen.reject);
        return seen.promise;
      }, what);
    } finally {
      isWaiting = false;
    }
  }

  /** Waits for something for as long as the trial is open and has patience, and then says for what. */
  async #within<T>(work: () => Promise<T>, what: () => string): Promise<T> {
    this.#check();
    const { patienceMs } = this.#parts;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const hint =
          "If it waits for time to pass, call advance(); the clock of a trial stands still.";
        reject(this.#problem(`waited ${patienceMs} ms for ${what()}. ${hint}`));
      }, patienceMs);
    });
    try {
      return await Promise.race([this.#closed.promise, work(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** An error with what the agent reported, the first of it as its cause. */
  #problem(what: string): Error {
    const reports = this.#parts.reportsOf(this.#taskId ?? "");
    const [cause] = reports;
    const reported = reports.map((report) => `\n  reported: ${String(report)}`);
    return new Error([what, ...reported].join(""), cause === undefined ? {} : { cause });
  }
}

async function requestOf(said: Said, options: SendOptions = {}): Promise<SendMessageRequest> {
  messages += 1;
  const newId = (): string => `trial-${messages}`;
  const { request } = await createMessage({ version: "1.0", newId }, said, options);
  return request;
}

function closedError(): Error {
  return new Error("the trial is closed; await text() before its scope ends");
}

function wordsOf({ status }: Task): string {
  return status.message === undefined ? "" : textOf(status.message);
}

function joined(parts: readonly Part[]): string {
  return parts.map(({ text = "" }) => text).join("");
}

function describe(task: Task): string {
  const { id, status, artifacts = [] } = task;
  const told = artifacts.map(({ artifactId, parts }) => {
    const text = joined(parts);
    return `${artifactId} ${JSON.stringify(text.length > 80 ? `…${text.slice(-80)}` : text)}`;
  });
  const words = wordsOf(task);
  return [
    `task ${id} is ${status.state.slice("TASK_STATE_".length)}`,
    ...(words === "" ? [] : [`and says ${JSON.stringify(words)}`]),
    told.length === 0 ? "nothing told so far" : `told so far: ${told.join(", ")}`,
  ].join(", ");
}

function isTerminalState(state: string | undefined): boolean {
  return state !== undefined && isTerminal(state as Task["status"]["state"]);
}

/** Lets pending work run. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
