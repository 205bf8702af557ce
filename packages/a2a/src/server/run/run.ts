import { createDeferred, neverSettles, LightSignal } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { JsonValue, Message, TaskState, Writable } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";
import { isInputRequired } from "../author/output.js";
import type { Content, Outcome, Output } from "../author/output.js";
import type { RunContext } from "../author/run-context.js";
import { timestampOf } from "../clock.js";
import type { Draft } from "../log/draft.js";
import type { LiveTask } from "../log/live-task.js";
import { weigh } from "../log/weigh.js";
import type { Build, WriteOptions } from "../log/write.js";
import type { RunEnvironment } from "../run-environment.js";
import { copyOf } from "./copy-of.js";
import { EndOfRun } from "./end-of-run.js";
import { HandlerContext } from "./handler-context.js";
import { JournalMismatch, outputLabel } from "./journal.js";
import type { Journal } from "./journal.js";
import { createEventMaker } from "./run-events.js";
import type { EventMaker } from "./run-events.js";
import { RunOutputs } from "./run-outputs.js";
import type { Decision, RunEnd, RunStart } from "./run-start.js";
import { RunTask } from "./run-task.js";
import type { Held } from "./run-task.js";

type StatusEvent = Extract<LogEvent, { kind: "status-changed" }>;

/**
 * One activation of an agent's handler for one task. Nothing is stored until the handler does something that
 * creates a task; from then on all its outputs go through the task's log.
 *
 * A handler cannot be stopped from outside. Once its run is over, every promise that it still gets from its
 * context stays pending for ever, so that the handler does no harm and is garbage collected.
 */
export class Run {
  readonly #environment: RunEnvironment;
  readonly #start: RunStart;
  readonly #events: EventMaker;
  readonly #journal: Journal;
  readonly #task: RunTask;
  readonly #outputs: RunOutputs;
  readonly #stop = new LightSignal();
  readonly #decided = createDeferred<Decision>();
  /** Settles when the run is over, even if its handler still works. */
  readonly #over = createDeferred<RunEnd>();
  #inbox: (() => void)[] = [];
  #isDecided = false;
  #isStarted = false;
  /** The time of the run's first output. */
  #begunAt: number | undefined;
  #isCanceled = false;
  /** The run's last write is under way or done. */
  #isClosing = false;
  /** This run may no longer write to its task. */
  #isLost = false;
  #mismatch: JournalMismatch | undefined;

  constructor(environment: RunEnvironment, start: RunStart) {
    this.#environment = environment;
    this.#start = start;
    this.#journal = start.journal;
    this.#events = createEventMaker({
      taskId: start.taskId,
      contextId: start.contextId,
      // Each run has its own answer, so that no run replaces the answer of an earlier one.
      answerId: start.journal.run > 1 ? `answer-${start.journal.run}` : "answer",
      newId: environment.newId,
      timestamp: () => timestampOf(this.#now()),
    });
    this.#decided.promise.catch(() => undefined);
    this.#outputs = new RunOutputs({
      task: () => this.#task,
      isLost: () => this.#isLost,
      isClosing: () => this.#isClosing,
      ensure: () => this.#ensure(),
      lose: (error) => this.#lose(error),
      over: runIsOver,
    });
    // A run whose task another node has already claimed learns it here.
    this.#task = new RunTask({
      journal: start.journal,
      ...(start.held !== undefined && { held: start.held }),
      create: (first) => this.#create(first),
      received: (entry) => {
        this.#journal.receive(entry);
        if (entry.event.kind === "message-added") this.#wakeInbox();
        if (entry.event.kind === "cancel-requested") this.#cancel();
      },
      claimed: () => this.#leave("over", new Error("another node has taken over the task")),
    });
    if (this.#journal.isCancelRequested) this.#cancel();
  }

  /** Settles once it is clear whether the run replies directly or has a task. Rejects when it can do neither. */
  get decided(): Promise<Decision> {
    return this.#decided.promise;
  }

  /** Resolves when the run is told to stop. */
  get stopped(): Promise<void> {
    return this.#stop.whenAborted();
  }

  /** The epoch under which the run writes; 0 while there is no task. */
  get epoch(): number {
    return this.#task.held?.epoch ?? 0;
  }

  /** Creates a task if the run has not decided yet. */
  async decide(): Promise<void> {
    await this.#task.ensure();
  }

  /** Ends the run without writing to the log, so that another node continues it. */
  detach(): void {
    if (!this.#isClosing) this.#leave("over", new Error("this node is stopping"));
  }

  /** Runs the handler until it ends or asks its caller. Never rejects. */
  execute(): Promise<RunEnd> {
    void this.#perform();
    return this.#over.promise;
  }

  async #perform(): Promise<void> {
    let end: RunEnd;
    try {
      end = await this.#end(await this.#conduct());
    } catch (error) {
      end = await this.#endBadly(error);
    }
    this.#finish(end);
  }

  /** Only the first end counts. */
  #finish(end: RunEnd): void {
    this.#isClosing = true;
    this.#over.resolve(end);
    this.#task.release();
    if (!this.#isDecided) this.#decided.reject(stoppedEarly());
  }

  async #conduct(): Promise<Outcome> {
    this.#isStarted = true;
    if (this.#isCanceled || this.#isLost) return undefined;
    if (this.#start.isTask === true || this.#task.isPlanned) {
      const { state } = await this.#ready();
      if (state === "TASK_STATE_SUBMITTED") {
        await this.#write({ events: [this.#events.status("TASK_STATE_WORKING")] });
      }
    }
    const result = this.#start.agent.run(this.#context());
    return isGenerator(result) ? this.#listen(result) : result;
  }

  async #listen(result: AsyncGenerator<Output, Outcome, void>): Promise<Outcome> {
    try {
      for (;;) {
        const next = await result.next();
        if (this.#isCanceled || this.#isLost) return undefined;
        if (next.done === true) return next.value;
        const turn = this.#say(next.value);
        if (turn !== undefined) await turn;
      }
    } finally {
      // Runs the `finally` blocks of a handler that is left early, without waiting for them.
      void result.return(undefined).catch(() => undefined);
    }
  }

  #context(): RunContext {
    return new HandlerContext(this.#start.context, {
      signal: () => this.#stop.toAbortSignal(),
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
    });
  }

  /** Tells an output. Returns a promise if the handler has to wait; never when the run has lost its task. */
  #say(output: Output): Promise<void> | undefined {
    if (output === "") return undefined;
    const made = this.#events.output(output);
    const { position, recorded } = this.#advance("output", outputLabel(made));
    if (recorded !== undefined) return undefined;
    const event: Writable<typeof made> = typeof output === "string" ? made : copyOf(made);
    event.position = position;
    this.#begunAt ??= this.#environment.clock.now();
    return this.#outputs.tell(event, this.#weigh(event));
  }

  async #step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const { position, recorded } = this.#advance("step", name);
    if (recorded !== undefined) return copyOf(recorded.result) as T;
    await this.#ready();
    const result = copyOf<unknown>(await work()) as JsonValue;
    const event = { kind: "step-recorded", position, name, result } as const;
    const bytes = this.#weigh(event);
    await this.#write({ events: [event], bytes });
    return copyOf(result) as T;
  }

  async #ask(state: TaskState, question: Content): Promise<Message> {
    const { position, recorded } = this.#advance("question");
    const answer = recorded && this.#journal.answerTo(recorded.sequence);
    if (answer !== undefined) return answer;
    this.#stop.throwIfAborted();
    const status = copyOf(this.#events.status(state, question));
    this.#weigh(status);
    await this.#ready();
    if (this.#isClosing) return neverSettles();
    try {
      const events = [{ kind: "question-asked", position } as const, status];
      await this.#writeLast(() => ({ events, node: null }));
      this.#finish("over");
    } catch (error) {
      this.#lose(error);
    }
    return neverSettles();
  }

  async #nextMessage(): Promise<Message> {
    const { position, recorded } = this.#advance("message");
    if (recorded !== undefined) return recorded.message;
    await this.#ready();
    for (;;) {
      if (this.#isClosing) return neverSettles();
      this.#stop.throwIfAborted();
      const message = this.#journal.take();
      if (message !== undefined) {
        const { messageId } = message;
        await this.#write({ events: [{ kind: "message-taken", position, messageId }] });
        return message;
      }
      await new Promise<void>((resolve) => this.#inbox.push(resolve));
    }
  }

  /** Moves on in the journal. A mismatch fails the run even if the handler catches it. */
  #advance: Journal["advance"] = (kind, label) => {
    try {
      return this.#journal.advance(kind, label);
    } catch (error) {
      if (error instanceof JournalMismatch) this.#mismatch ??= error;
      throw error;
    }
  };

  /** Creates the task if there is none; `undefined` when the run has lost it. */
  async #ensure(): Promise<LiveTask | undefined> {
    if (this.#isLost) return undefined;
    try {
      return await this.#task.ensure();
    } catch (error) {
      this.#lose(error);
      return undefined;
    }
  }

  /** Creates the task if there is none. Never settles when the run is over. */
  async #ready(): Promise<LiveTask> {
    const live = this.#isClosing ? undefined : await this.#ensure();
    return live ?? neverSettles();
  }

  async #write(draft: Draft): Promise<void> {
    if (this.#isClosing || !(await this.#tryWrite(draft))) return neverSettles();
  }

  /** False when the run has lost its task. */
  async #tryWrite(draft: Draft): Promise<boolean> {
    try {
      await this.#commit(() => draft);
      return true;
    } catch (error) {
      this.#lose(error);
      return false;
    }
  }

  /** The run's last write: nothing that the handler does afterwards is written. */
  async #writeLast(build: Build): Promise<void> {
    this.#isClosing = true;
    await this.#commit(build, { alone: true });
  }

  #commit(build: Build, options?: Pick<WriteOptions, "alone">): Promise<unknown> {
    return this.#task.commit((state) => {
      return this.#isLost ? runIsOver() : build(state);
    }, options);
  }

  /** Creates the task as of the run's first output, so that no output is older than its task. */
  async #create(first: Draft): Promise<Held> {
    const { create, key } = this.#start;
    const at = this.#begunAt ?? this.#environment.clock.now();
    try {
      const held = await create(this.#isStarted ? working(at, first) : first, at);
      this.#outputs.made();
      this.#settle({ taskKey: key });
      return held;
    } catch (error) {
      this.#decided.reject(error);
      throw error;
    }
  }

  #now(): number {
    const now = this.#environment.clock.now();
    this.#begunAt ??= now;
    return now;
  }

  #settle(decision: Decision): void {
    this.#isDecided = true;
    this.#decided.resolve(decision);
  }

  #wakeInbox(): void {
    const waiting = this.#inbox;
    this.#inbox = [];
    for (const wake of waiting) wake();
  }

  #cancel(): void {
    this.#isCanceled = true;
    this.#stop.abort(new A2AError("UNSUPPORTED_OPERATION", "the task was canceled"));
    this.#wakeInbox();
  }

  /** Ends the run after a failed write: another node has the task, or the store does not answer. */
  #lose(error: unknown): void {
    if (this.#isLost) return;
    const isDropped = this.#task.held !== undefined && !isFenced(error);
    if (isDropped) this.#environment.report(error, this.#start.taskId);
    this.#leave(isDropped ? "dropped" : "over", error);
  }

  #leave(end: RunEnd, reason: unknown): void {
    this.#isLost = true;
    // A run that waits for its slot finishes when it gets one.
    if (this.#isStarted) this.#finish(end);
    else this.#over.resolve(end);
    this.#stop.abort(reason);
    this.#outputs.release();
    this.#wakeInbox();
  }

  /** The weight of an event. Throws `EndOfRun` when the event or its task is too large. */
  #weigh(event: object): number {
    const { maxTaskBytes, maxEventBytes } = this.#environment.settings;
    const bytes = weigh(event);
    if (bytes > maxEventBytes) {
      throw new EndOfRun("TASK_STATE_FAILED", `one output has more than ${maxEventBytes} bytes`);
    }
    if (bytes + (this.#task.held?.handle.live.bytes ?? this.#outputs.bytesAhead) > maxTaskBytes) {
      throw new EndOfRun("TASK_STATE_FAILED", `the task has more than ${maxTaskBytes} bytes`);
    }
    return bytes;
  }

  async #end(outcome: Outcome): Promise<RunEnd> {
    if (this.#isLost) return this.#over.promise;
    if (this.#mismatch !== undefined) throw this.#mismatch;
    if (this.#isCanceled) {
      return this.#close(this.#events.status("TASK_STATE_CANCELED"), this.#answer(outcome));
    }
    if (outcome !== undefined && isInputRequired(outcome)) {
      const { inputRequired } = outcome;
      const question = copyOf(this.#events.status("TASK_STATE_INPUT_REQUIRED", inputRequired));
      this.#weigh(question);
      return this.#close(question);
    }
    if (outcome !== undefined && !this.#task.isPlanned) {
      const made = this.#events.reply(outcome);
      const reply = typeof outcome === "string" ? made : copyOf(made);
      this.#weigh(reply);
      this.#settle({ reply });
      return "over";
    }
    return this.#close(this.#events.status("TASK_STATE_COMPLETED"), this.#answer(outcome));
  }

  #answer(outcome: Outcome): readonly LogEvent[] {
    if (outcome === undefined || isInputRequired(outcome)) return [];
    const answer = copyOf(this.#events.answer(outcome));
    this.#weigh(answer);
    return [answer];
  }

  async #endBadly(error: unknown): Promise<RunEnd> {
    if (this.#isLost) return this.#over.promise;
    if (this.#isCanceled) return this.#close(this.#events.status("TASK_STATE_CANCELED"));
    if (error instanceof EndOfRun && this.#mismatch === undefined) {
      try {
        const status = copyOf(this.#events.status(error.state, error.reason));
        this.#weigh(status);
        return await this.#close(status);
      } catch (problem) {
        if (!(problem instanceof EndOfRun)) return this.#endBadly(problem);
        return this.#close(this.#events.status(problem.state, problem.reason));
      }
    }
    const reference = this.#environment.newId();
    this.#environment.report(this.#mismatch ?? error, this.#start.taskId, reference);
    const reason =
      this.#mismatch === undefined
        ? `The agent failed (${reference}).`
        : `The agent's code has changed in a way that this task cannot continue with (${reference}).`;
    return this.#close(this.#events.status("TASK_STATE_FAILED", reason));
  }

  /**
   * Writes the run's last events. If an unread message arrived meanwhile, the task does not settle: the append
   * starts the next run, which answers that message.
   */
  async #close(ending: StatusEvent, before: readonly LogEvent[] = []): Promise<RunEnd> {
    if (this.#isLost || this.#isClosing) return this.#over.promise;
    const { state } = ending.status;
    const givesWay = state === "TASK_STATE_COMPLETED" || state === "TASK_STATE_INPUT_REQUIRED";
    let continues = false;
    try {
      await this.#writeLast(() => {
        const next = givesWay ? this.#journal.nextRun() : undefined;
        continues = next !== undefined;
        if (next !== undefined) return { events: [...before, next] };
        return { events: [...before, ending], node: null };
      });
    } catch (error) {
      this.#lose(error);
      return this.#over.promise;
    }
    return continues ? "continues" : "over";
  }
}

/** Puts WORKING in front of the events that a task begins with. */
function working(at: number, first: Draft): Draft {
  const status = { state: "TASK_STATE_WORKING", timestamp: timestampOf(at) } as const;
  return { ...first, events: [{ kind: "status-changed", status }, ...first.events] };
}

/** True when the write was refused because another node has the task, or because the task has ended or is gone. */
function isFenced(error: unknown): boolean {
  const codes = ["CONCURRENT_MODIFICATION", "UNSUPPORTED_OPERATION", "TASK_NOT_FOUND"];
  return A2AError.is(error) && codes.includes(error.code);
}

/** Refuses a write after one that failed: it would leave a hole in the log. */
function runIsOver(): never {
  throw new A2AError("CONCURRENT_MODIFICATION", "this run is over; it cannot write any more");
}

function isGenerator(value: unknown): value is AsyncGenerator<Output, Outcome, void> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function stoppedEarly(): A2AError {
  const message = "this node stopped before the agent answered; try again";
  return new A2AError("UNAVAILABLE", message);
}
