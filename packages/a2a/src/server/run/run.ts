import { createDeferred, neverSettles, LightSignal } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { JsonValue, Message, TaskState, Writable } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { isInputRequired } from "../author/output.js";
import type { Content, Outcome, Output } from "../author/output.js";
import type { RunContext } from "../author/run-context.js";
import type { LiveEntry } from "../log/live-entry.js";
import { weigh } from "../log/weigh.js";
import type { RunEnvironment } from "../run-environment.js";
import { copyOf } from "./copy-of.js";
import { EndOfRun } from "./end-of-run.js";
import { HandlerContext } from "./handler-context.js";
import type { GivenContext } from "./handler-context.js";
import type { Journal } from "./journal.js";
import { createEventMaker } from "./run-events.js";
import type { EventMaker } from "./run-events.js";
import type { TaskWriter } from "./task-writer.js";

/** How the caller gets its answer: as a direct reply, or from the task with this key in the store. */
export type Decision = { readonly reply: Message } | { readonly taskKey: string };

/**
 * How a run ended. "over": for good, or until its task gets a message. "continues": a message is left for the
 * next run, which begins now. "dropped": in the middle, because the store failed.
 */
export type RunEnd = "over" | "continues" | "dropped";

/** What a run begins with. */
export interface RunStart {
  readonly agent: Agent;
  /** What is recorded of the run so far. */
  readonly journal: Journal;
  /** Writes to the run's task. Belongs to the run. */
  readonly writer: TaskWriter;
  /** Creates a task whatever the handler does. */
  readonly isTask?: boolean;
  readonly context: GivenContext;
}

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
  readonly #writer: TaskWriter;
  readonly #stop = new LightSignal();
  readonly #decided = createDeferred<Decision>();
  /** Settles when the run is over, even if its handler still works. */
  readonly #over = createDeferred<RunEnd>();
  #inbox: (() => void)[] = [];
  #isDecided = false;
  #isStarted = false;
  #isCanceled = false;

  constructor(environment: RunEnvironment, start: RunStart) {
    this.#environment = environment;
    this.#start = start;
    const { journal, writer } = start;
    this.#journal = journal;
    this.#writer = writer;
    const { taskId, publicId, contextId } = writer.identity;
    this.#events = createEventMaker({
      taskId: publicId,
      contextId,
      // Each run has its own answer, so that no run replaces the answer of an earlier one.
      answerId: journal.run > 1 ? `answer-${journal.run}` : "answer",
      newId: environment.newId,
      clock: writer,
    });
    this.#decided.promise.catch(() => undefined);
    writer.observe({
      born: () => this.#settle({ taskKey: taskId }),
      entry: (entry) => this.#receive(entry),
      lost: (reason, isDropped) => this.#lose(reason, isDropped),
    });
    if (journal.isCancelRequested) this.#cancel();
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
    return this.#writer.epoch;
  }

  /** Creates a task if the run has not decided yet. */
  async decide(): Promise<void> {
    await this.#writer.ensure();
  }

  /** Ends the run without writing to the log, so that another node continues it. */
  detach(): void {
    if (!this.#writer.isClosing) this.#leave("over", new Error("this node is stopping"));
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
    this.#over.resolve(end);
    this.#writer.release();
    if (!this.#isDecided) this.#decided.reject(stoppedEarly());
  }

  async #conduct(): Promise<Outcome> {
    const writer = this.#writer;
    this.#isStarted = true;
    writer.isWorking = true;
    if (this.#isCanceled || writer.isLost) return undefined;
    if (this.#start.isTask === true || writer.isPlanned) {
      const { state } = (await writer.ready()).replica;
      if (state === "TASK_STATE_SUBMITTED") {
        await writer.write({ events: [this.#events.status("TASK_STATE_WORKING")] });
      }
    }
    const result = this.#start.agent.run(this.#context());
    return isGenerator(result) ? this.#listen(result) : result;
  }

  async #listen(result: AsyncGenerator<Output, Outcome, void>): Promise<Outcome> {
    try {
      for (;;) {
        const next = await result.next();
        if (this.#isCanceled || this.#writer.isLost) return undefined;
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
    const position = this.#journal.advanceOutput(made);
    if (position === undefined) return undefined;
    const event: Writable<typeof made> = typeof output === "string" ? made : copyOf(made);
    event.position = position;
    return this.#writer.tell(event, this.#weigh(event));
  }

  async #step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
    const { position, recorded } = this.#journal.advance("step", name);
    if (recorded !== undefined) return copyOf(recorded.result) as T;
    await this.#writer.ready();
    const result = copyOf<unknown>(await work()) as JsonValue;
    const event = { kind: "step-recorded", position, name, result } as const;
    const bytes = this.#weigh(event);
    await this.#writer.write({ events: [event], bytes });
    return copyOf(result) as T;
  }

  async #ask(state: TaskState, question: Content): Promise<Message> {
    const { position, recorded } = this.#journal.advance("question");
    const answer = recorded && this.#journal.answerTo(recorded.sequence);
    if (answer !== undefined) return answer;
    this.#stop.throwIfAborted();
    const status = copyOf(this.#events.status(state, question));
    this.#weigh(status);
    await this.#writer.ready();
    if (this.#writer.isClosing) return neverSettles();
    const events = [{ kind: "question-asked", position } as const, status];
    if (await this.#writer.writeLast(() => ({ events, node: null }))) this.#finish("over");
    return neverSettles();
  }

  async #nextMessage(): Promise<Message> {
    const { position, recorded } = this.#journal.advance("message");
    if (recorded !== undefined) return recorded.message;
    await this.#writer.ready();
    for (;;) {
      if (this.#writer.isClosing) return neverSettles();
      this.#stop.throwIfAborted();
      const message = this.#journal.take();
      if (message !== undefined) {
        const { messageId } = message;
        await this.#writer.write({ events: [{ kind: "message-taken", position, messageId }] });
        return message;
      }
      await new Promise<void>((resolve) => this.#inbox.push(resolve));
    }
  }

  get #taskId(): string {
    return this.#writer.identity.publicId;
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

  /** Takes in an entry of the log. Of its own outputs the run knows already. */
  #receive(entry: LiveEntry): void {
    const { kind } = entry.event;
    if (kind !== "message-added" && kind !== "cancel-requested") return;
    this.#journal.receive(entry);
    if (kind === "message-added") this.#wakeInbox();
    else this.#cancel();
  }

  /** Ends the run when its task is lost, or could not be created. */
  #lose(reason: unknown, isDropped: boolean): void {
    if (!this.#isDecided) this.#decided.reject(reason);
    if (isDropped) this.#environment.report(reason, this.#taskId);
    this.#leave(isDropped ? "dropped" : "over", reason);
  }

  #leave(end: RunEnd, reason: unknown): void {
    this.#writer.stop();
    // A run that waits for its slot finishes when it gets one.
    if (this.#isStarted) this.#finish(end);
    else this.#over.resolve(end);
    this.#stop.abort(reason);
    this.#wakeInbox();
  }

  /** The weight of an event. Throws `EndOfRun` when the event or its task is too large. */
  #weigh(event: object): number {
    const { maxTaskBytes, maxEventBytes } = this.#environment.settings;
    const bytes = weigh(event);
    if (bytes > maxEventBytes) {
      throw new EndOfRun("TASK_STATE_FAILED", `one output has more than ${maxEventBytes} bytes`);
    }
    if (bytes + this.#writer.bytes > maxTaskBytes) {
      throw new EndOfRun("TASK_STATE_FAILED", `the task has more than ${maxTaskBytes} bytes`);
    }
    return bytes;
  }

  async #end(outcome: Outcome): Promise<RunEnd> {
    if (this.#writer.isLost) return this.#over.promise;
    if (this.#journal.mismatch !== undefined) throw this.#journal.mismatch;
    if (this.#isCanceled) {
      return this.#close(this.#events.status("TASK_STATE_CANCELED"), this.#answer(outcome));
    }
    if (outcome !== undefined && isInputRequired(outcome)) {
      const { inputRequired } = outcome;
      const question = copyOf(this.#events.status("TASK_STATE_INPUT_REQUIRED", inputRequired));
      this.#weigh(question);
      return this.#close(question);
    }
    if (outcome !== undefined && !this.#writer.isPlanned) {
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
    if (this.#writer.isLost) return this.#over.promise;
    if (this.#isCanceled) return this.#close(this.#events.status("TASK_STATE_CANCELED"));
    if (error instanceof EndOfRun && this.#journal.mismatch === undefined) {
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
    this.#environment.report(this.#journal.mismatch ?? error, this.#taskId, reference);
    const reason =
      this.#journal.mismatch === undefined
        ? `The agent failed (${reference}).`
        : `The agent's code has changed in a way that this task cannot continue with (${reference}).`;
    return this.#close(this.#events.status("TASK_STATE_FAILED", reason));
  }

  /**
   * Writes the run's last events. If an unread message arrived meanwhile, the task does not settle: the append
   * starts the next run, which answers that message.
   */
  async #close(ending: StatusEvent, before: readonly LogEvent[] = []): Promise<RunEnd> {
    if (this.#writer.isLost || this.#writer.isClosing) return this.#over.promise;
    const { state } = ending.status;
    const givesWay = state === "TASK_STATE_COMPLETED" || state === "TASK_STATE_INPUT_REQUIRED";
    let continues = false;
    const isWritten = await this.#writer.writeLast(() => {
      const next = givesWay ? this.#journal.nextRun() : undefined;
      continues = next !== undefined;
      if (next !== undefined) return { events: [...before, next] };
      return { events: [...before, ending], node: null };
    });
    if (!isWritten) return this.#over.promise;
    return continues ? "continues" : "over";
  }
}

function isGenerator(value: unknown): value is AsyncGenerator<Output, Outcome, void> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function stoppedEarly(): A2AError {
  const message = "this node stopped before the agent answered; try again";
  return new A2AError("UNAVAILABLE", message);
}
