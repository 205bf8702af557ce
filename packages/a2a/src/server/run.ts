import { A2AError, isTerminal } from "../protocol/index.js";
import type { JsonValue, Message, TaskState } from "../protocol/index.js";
import type { LogEvent } from "../store/index.js";
import type { Draft, LiveTask } from "./live-task.js";
import type { LiveHandle } from "./live-tasks.js";
import { createDeferred } from "./deferred.js";
import type { Agent } from "./agent.js";
import { timestampOf } from "./clock.js";
import { EndOfRun } from "./end-of-run.js";
import type { Journal } from "./journal.js";
import { JournalMismatch, outputLabel } from "./journal.js";
import { isInputRequired } from "./output.js";
import type { Content, Outcome, Output } from "./output.js";
import type { RunContext } from "./run-context.js";
import type { RunEnvironment } from "./run-environment.js";
import { createEventMaker } from "./run-events.js";
import type { EventMaker } from "./run-events.js";

/** How a run's caller gets its answer: directly, or by watching a task. */
export type Decision = { readonly reply: Message } | { readonly handle: LiveHandle };

/** Where a run begins. */
export interface RunStart {
  readonly agent: Agent;
  /** What is recorded of the run so far. */
  readonly journal: Journal;
  /** The task, when there is one already, held by this node. */
  readonly handle?: LiveHandle;
  /** Creates the task with its first events, when there is none yet. */
  readonly create?: (first: Draft) => Promise<LiveHandle>;
  readonly taskId: string;
  readonly contextId: string;
  /** Everything of the context that does not depend on the run. */
  readonly context: Omit<
    RunContext,
    "signal" | "ask" | "authRequired" | "step" | "nextMessage" | "fail" | "reject"
  >;
}

/** How a run ended. */
export interface RunEnd {
  /** The store's id of the task when its next run has begun in the log. */
  readonly continues?: string;
  /** The store's id of the task when the store failed the run, and nobody works on it any more. */
  readonly orphaned?: string;
}

/** Writes that may be ahead of their commit before the handler has to wait. */
const maxBacklog = 64;

/**
 * One activation of an agent's handler for one task. Nothing is stored until the handler does
 * something that makes a task; from then on all it says goes through the task's log.
 */
export class Run {
  readonly #environment: RunEnvironment;
  readonly #start: RunStart;
  readonly #events: EventMaker;
  readonly #journal: Journal;
  readonly #abort = new AbortController();
  readonly #decided = createDeferred<Decision>();
  readonly #suspended = createDeferred<"suspended">();
  readonly #inbox: (() => void)[] = [];
  #handle: LiveHandle | undefined;
  #stopObserving: () => void = () => undefined;
  #creating: Promise<LiveTask> | undefined;
  #isCanceled = false;
  #isDetached = false;
  /** Why nothing can be written any more. */
  #loss: { readonly error: unknown; readonly isOrphaned: boolean } | undefined;
  #isOver = false;
  #epoch = 0;
  #bytes = 0;

  constructor(environment: RunEnvironment, start: RunStart) {
    this.#environment = environment;
    this.#start = start;
    this.#journal = start.journal;
    this.#events = createEventMaker({
      taskId: start.taskId,
      contextId: start.contextId,
      newId: environment.newId,
      timestamp: () => timestampOf(environment.clock.now()),
    });
    this.#decided.promise.catch(() => undefined);
    if (start.handle !== undefined) this.#attach(start.handle);
  }

  /** Settles once it is clear whether there is a task. Rejects when the handler refused the call. */
  get decided(): Promise<Decision> {
    return this.#decided.promise;
  }

  /** Makes a task of the run if it has not decided yet. */
  async decide(): Promise<void> {
    await this.#ensureTask();
  }

  /** Lets the handler stop, without a word in the log: another node will go on. */
  detach(): void {
    this.#isDetached = true;
    this.#abort.abort(new Error("this node is stopping"));
  }

  /** Runs the handler to its end, or until it waits for its caller. Never rejects. */
  async execute(): Promise<RunEnd> {
    const released = createDeferred<"aborted">();
    this.#abort.signal.addEventListener("abort", () => released.resolve("aborted"), { once: true });
    try {
      // It may have been canceled while it waited for its turn.
      if (this.#abort.signal.aborted) return await this.#endAborted();
      const ending = this.#drive();
      ending.catch(() => undefined);
      const outcome = await Promise.race([ending, this.#suspended.promise, released.promise]);
      if (outcome === "suspended") return {};
      if (outcome === "aborted") return await this.#endAborted();
      return await this.#end(outcome.value);
    } catch (error) {
      return await this.#endBadly(error);
    } finally {
      this.#isOver = true;
      this.#stopObserving();
      this.#handle?.live.hold(false);
      this.#handle?.release();
    }
  }

  async #drive(): Promise<{ readonly value: Outcome }> {
    const result = this.#start.agent.run(this.#context());
    if (!isGenerator(result)) return { value: await result };
    try {
      for (;;) {
        const next = await result.next();
        if (this.#abort.signal.aborted) return { value: undefined };
        if (next.done === true) return { value: next.value };
        await this.#say(next.value);
      }
    } finally {
      // A handler that is left early gets its `finally` blocks run; nobody waits for them.
      void result.return(undefined).catch(() => undefined);
    }
  }

  #context(): RunContext {
    return {
      ...this.#start.context,
      signal: this.#abort.signal,
      ask: (question) => this.#ask("TASK_STATE_INPUT_REQUIRED", question),
      authRequired: (explanation) => this.#ask("TASK_STATE_AUTH_REQUIRED", explanation),
      step: (name, work) => this.#step(name, work),
      nextMessage: () => this.#nextMessage(),
      fail: (reason) => {
        throw new EndOfRun("TASK_STATE_FAILED", reason);
      },
      reject: (reason) => {
        throw new EndOfRun("TASK_STATE_REJECTED", reason);
      },
    };
  }

  async #say(output: Output): Promise<void> {
    if (output === "") return;
    const event = this.#events.output(output);
    const { position, recorded } = this.#journal.advance("output", outputLabel(event));
    if (recorded !== undefined) return;
    this.#weigh(event);
    const live = await this.#ensureTask();
    const written = this.#write(live, { events: [{ ...event, position }] });
    if (live.backlog >= maxBacklog) await written;
    else written.catch(() => undefined);
  }

  async #step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const { position, recorded } = this.#journal.advance("step", name);
    if (recorded !== undefined) return recorded.result as T;
    const live = await this.#ensureTask();
    const result = await work();
    const recordable = (result ?? null) as JsonValue;
    const event = { kind: "step-recorded", position, name, result: recordable } as const;
    this.#weigh(event);
    await this.#write(live, { events: [event] });
    return result;
  }

  async #ask(state: TaskState, question: Content): Promise<Message> {
    const { position, recorded } = this.#journal.advance("question", "");
    const answer = recorded && this.#journal.answerTo(recorded.sequence);
    if (answer !== undefined) return answer;
    const live = await this.#ensureTask();
    const asked = [
      { kind: "question-asked", position } as const,
      this.#events.status(state, question),
    ];
    await this.#write(live, { events: asked, node: null }, { alone: true });
    this.#suspended.resolve("suspended");
    // The handler ends here. Nothing refers to this promise, so it and the handler are collected.
    return new Promise<never>(() => undefined);
  }

  async #nextMessage(): Promise<Message> {
    const { position, recorded } = this.#journal.advance("message", "");
    if (recorded !== undefined) return this.#journal.message(recorded.messageId);
    const live = await this.#ensureTask();
    let message = this.#journal.unread();
    while (message === undefined) {
      await new Promise<void>((resolve) => this.#inbox.push(resolve));
      message = this.#journal.unread();
    }
    const { messageId } = message;
    this.#journal.take(messageId);
    await this.#write(live, { events: [{ kind: "message-taken", position, messageId }] });
    return message;
  }

  /** What cannot be written ends the run, and nothing after it is written: a log has no gaps. */
  async #write(live: LiveTask, draft: Draft, { alone = false } = {}): Promise<void> {
    const build = (): Draft => {
      if (this.#loss !== undefined) throw this.#loss.error;
      return draft;
    };
    try {
      await live.write(build, { alone, epoch: this.#epoch });
    } catch (error) {
      this.#lose(error);
      throw error;
    }
  }

  async #ensureTask(): Promise<LiveTask> {
    if (this.#isOver) throw new A2AError("UNSUPPORTED_OPERATION", "this run is over");
    if (this.#handle !== undefined) return this.#handle.live;
    this.#creating ??= this.#create();
    return this.#creating;
  }

  async #create(): Promise<LiveTask> {
    const { create } = this.#start;
    if (create === undefined) throw new A2AError("INTERNAL", "a run has neither a task nor a plan");
    try {
      const handle = await create({ events: [this.#events.status("TASK_STATE_WORKING")] });
      this.#attach(handle);
      return handle.live;
    } catch (error) {
      this.#decided.reject(error);
      throw error;
    }
  }

  #attach(handle: LiveHandle): void {
    this.#handle = handle;
    const { live } = handle;
    this.#epoch = live.epoch;
    live.hold(true);
    const take = ({ sequence, event }: Parameters<Journal["receive"]>[0]): void => {
      if (sequence <= this.#journal.lastSequence) return;
      this.#journal.receive({ sequence, event });
      if (event.kind === "message-added") for (const wake of this.#inbox.splice(0)) wake();
      if (event.kind === "cancel-requested") this.#cancel();
    };
    if (this.#journal.isCancelRequested) this.#cancel();
    for (const entry of live.entriesAfter(this.#journal.lastSequence) ?? []) take(entry);
    this.#stopObserving = live.observe({
      entry: take,
      epoch: () =>
        this.#lose(new A2AError("CONCURRENT_MODIFICATION", "another took the task over")),
    });
    this.#decided.resolve({ handle });
  }

  #cancel(): void {
    this.#isCanceled = true;
    this.#abort.abort(new A2AError("UNSUPPORTED_OPERATION", "the task was canceled"));
  }

  /** A write failed: the task is another's, or the store is gone. Either way this run is over. */
  #lose(error: unknown): void {
    if (this.#loss !== undefined) return;
    const isFenced = A2AError.is(error) && error.code === "CONCURRENT_MODIFICATION";
    this.#loss = { error, isOrphaned: !isFenced && this.#handle !== undefined };
    if (!isFenced) this.#environment.report(error, this.#start.taskId);
    this.#abort.abort(error);
  }

  #weigh(event: object): void {
    const { maxTaskBytes, maxEventBytes } = this.#environment.settings;
    const bytes = JSON.stringify(event).length;
    this.#bytes += bytes;
    if (bytes > maxEventBytes) {
      throw new EndOfRun("TASK_STATE_FAILED", `one output has more than ${maxEventBytes} bytes`);
    }
    if (this.#bytes > maxTaskBytes) {
      throw new EndOfRun("TASK_STATE_FAILED", `the task has more than ${maxTaskBytes} bytes`);
    }
  }

  async #end(outcome: Outcome): Promise<RunEnd> {
    const hasTask = this.#handle !== undefined || this.#creating !== undefined;
    if (!hasTask && outcome !== undefined && !isInputRequired(outcome)) {
      const { taskId: _, ...reply } = this.#events.message(outcome);
      this.#decided.resolve({ reply });
      return {};
    }
    if (outcome !== undefined && isInputRequired(outcome)) {
      return this.#close(this.#events.status("TASK_STATE_INPUT_REQUIRED", outcome.inputRequired));
    }
    const answer = outcome === undefined ? [] : [this.#events.answer(outcome)];
    return this.#close(this.#events.status("TASK_STATE_COMPLETED"), ...answer);
  }

  async #endAborted(): Promise<RunEnd> {
    if (this.#loss !== undefined) return this.#lost();
    if (this.#isCanceled && !this.#isDetached) {
      return this.#close(this.#events.status("TASK_STATE_CANCELED"));
    }
    this.#decided.reject(new A2AError("UNAVAILABLE", "this node is stopping; try again"));
    return {};
  }

  async #endBadly(error: unknown): Promise<RunEnd> {
    if (this.#abort.signal.aborted) return this.#endAborted();
    if (error instanceof EndOfRun) {
      return this.#close(this.#events.status(error.state, error.reason));
    }
    const reference = this.#environment.newId();
    this.#environment.report(error, this.#start.taskId, reference);
    const reason =
      error instanceof JournalMismatch
        ? `The agent's code has changed in a way that this task cannot continue with (${reference}).`
        : `The agent failed (${reference}).`;
    return this.#close(this.#events.status("TASK_STATE_FAILED", reason));
  }

  /**
   * Writes a run's last events. A message that came meanwhile and that nobody has dealt with keeps the
   * task from resting: the next run begins with it, in the same write, so that no replay repeats this one.
   */
  async #close(
    ending: Extract<LogEvent, { kind: "status-changed" }>,
    ...before: readonly LogEvent[]
  ): Promise<RunEnd> {
    const { state: reached } = ending.status;
    const givesWay = reached === "TASK_STATE_COMPLETED" || reached === "TASK_STATE_INPUT_REQUIRED";
    let next: Message | undefined;
    try {
      const live = await this.#ensureTask();
      const build = (state: TaskState): Draft | undefined => {
        if (this.#loss !== undefined) throw this.#loss.error;
        next = givesWay && !isTerminal(state) ? this.#journal.unread() : undefined;
        if (isTerminal(state)) return undefined;
        if (next === undefined) return { events: [...before, ending], node: null };
        return { events: [...before, this.#journal.nextRun(next)] };
      };
      await live.write(build, { alone: true, epoch: this.#epoch });
    } catch (error) {
      this.#decided.reject(error);
      this.#lose(error);
      return this.#lost();
    }
    return next === undefined ? {} : { continues: this.#taskKey };
  }

  #lost(): RunEnd {
    return this.#loss?.isOrphaned === true ? { orphaned: this.#taskKey } : {};
  }

  get #taskKey(): string {
    return this.#handle?.live.origin.taskId ?? this.#start.taskId;
  }
}

function isGenerator(value: unknown): value is AsyncGenerator<Output, Outcome, void> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
