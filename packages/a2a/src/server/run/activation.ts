import { createDeferred, LightSignal } from "../../async/internal.js";
import type { Deferred } from "../../async/internal.js";
import { isPromise } from "../../options/internal.js";
import type { A2AError, JsonValue } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";
import { checkOutcome, checkOutput } from "../author/check-output.js";
import type { Outcome, Output } from "../author/output.js";
import type { Journal } from "../journal/journal.js";
import type { LiveEntry } from "../log/live-entry.js";
import type { TaskIdentity } from "../log/task-identity.js";
import type { RunSlot } from "../shares/run-slot.js";
import type { ActivationHost, RunEnd } from "./activation-host.js";
import type { ActivationStart } from "./activation-start.js";
import { PendingDecision } from "./decision.js";
import type { Decision } from "./decision.js";
import { Ending } from "./ending.js";
import { isGenerator } from "./is-generator.js";
import { isNews } from "./is-news.js";
import { isOfSuccessor } from "./is-of-successor.js";
import { canceled, takenOver } from "./leave-reasons.js";
import { EventMaker } from "./event-maker.js";
import type { RunSpan } from "./spans/run-span.js";
import { Tools } from "./tools/tools.js";
import { Wait } from "./waiting/wait.js";
import type { TaskWriter } from "./writer/task-writer.js";

/**
 * One handler at work for one task: repeating what earlier attempts have done, live, waiting for an answer, closing,
 * over. Nothing is stored until the handler does something that creates a task; from then on all that it tells goes
 * through the task's log.
 *
 * A handler cannot be stopped from outside. Once its activation is over, every promise that it still gets from its
 * context stays pending for ever, so that the handler does no harm and is garbage collected.
 */
export class Activation {
  readonly #host: ActivationHost<Activation>;
  readonly #start: ActivationStart;
  readonly #events: EventMaker;
  readonly #journal: Journal;
  readonly #writer: TaskWriter;
  readonly #stop = new LightSignal();
  readonly #decision = new PendingDecision();
  readonly #tools: Tools;
  /** Which attempt of its run this handler is. */
  readonly #attempt: number;
  /** Settles when the handler waits or its run is over, even if the handler still works. */
  #stretch: Deferred<RunEnd> | undefined;
  /** The slot of the stretch of work that is under way, or about to be. */
  #slot: RunSlot | undefined;
  /** The handler's wait for an answer; absent while it may work. */
  #wait: Wait | undefined;
  #end: RunEnd | undefined;
  #isStarted = false;
  #isCanceled = false;

  constructor(host: ActivationHost<Activation>, start: ActivationStart) {
    const { environment } = host;
    this.#host = host;
    this.#start = start;
    const { journal, writer, slot } = start;
    this.#slot = slot;
    this.#journal = journal;
    this.#attempt = journal.attempt;
    this.#writer = writer;
    const { taskId, publicId, contextId } = writer.identity;
    this.#events = new EventMaker({
      taskId: publicId,
      contextId,
      // Each run has its own answer, so that no run replaces the answer of an earlier one.
      answerId: journal.run > 1 ? `answer-${journal.run}` : "answer",
      newId: environment.newId,
      clock: writer,
    });
    this.#tools = new Tools({
      environment,
      journal,
      writer,
      events: this.#events,
      stop: this.#stop,
      artifacts: start.artifacts,
      idle: () => this.#restIfWaiting(),
      span: start.span,
    });
    writer.traceAs(start.span?.stored);
    writer.observe({
      planned: () => this.#slot?.becomeTask(),
      born: () => this.#decision.make({ taskKey: taskId }),
      pause: () => this.#pause(),
      entry: (entry) => this.#receive(entry),
      lost: (reason, isDropped) => this.#lose(reason, isDropped),
      takesUp: (credentials) => this.#takesUp(credentials),
    });
    if (journal.isCancelRequested) this.#cancel();
  }

  /** Whether the run replies directly or has a task, once that is clear. Rejects when it can do neither. */
  get decided(): Decision | Promise<Decision> {
    return this.#decision.made;
  }

  /** Resolves when the run is told to stop. */
  get stopped(): Promise<void> {
    return this.#stop.whenAborted();
  }

  /** As whom the run counts. */
  get share(): string {
    return this.#start.share;
  }

  /** True while the run has not begun because it has no slot. */
  get isQueued(): boolean {
    return !this.#isStarted && this.#slot?.turn !== undefined;
  }

  /** Roughly how many bytes of messages and results the handler holds. */
  get bytes(): number {
    return this.#journal.bytes;
  }

  /** The epoch under which the run writes; 0 while there is no task. */
  get epoch(): number {
    return this.#writer.epoch;
  }

  /** How the run ended; `undefined` while it has not. */
  get end(): RunEnd | undefined {
    return this.#end;
  }

  /** The last log entry that the handler knows. */
  get lastSequence(): number {
    return this.#writer.lastSequence;
  }

  get identity(): TaskIdentity {
    return this.#writer.identity;
  }

  /** Creates a task if the run has not decided yet. */
  async decide(): Promise<void> {
    await this.#writer.ensure();
  }

  /**
   * Leaves the run without writing to the log, so that another node continues it or this one begins it again. A
   * pending question stays pending: the handler must not undo a run that goes on elsewhere.
   */
  leave(reason: Error): void {
    if (!this.#writer.isClosing) this.#leave("over", reason);
  }

  /** Turns away a run that has not begun, unless there is a task for it: its caller has that already, or gets it. */
  refuse(reason: A2AError): void {
    if (!this.#isStarted && !this.#writer.isPlanned) this.#lose(reason, false);
  }

  /** The task has ended without its handler, which waits for an answer. */
  ended(reason: Error): void {
    this.leave(reason);
    this.#tools.questions?.reject(reason);
  }

  /** Lets the handler work until it waits, or its run is over: at once, without a promise. Never rejects. */
  proceed(slot: RunSlot): RunEnd | Promise<RunEnd> {
    this.#slot = slot;
    if (this.#end !== undefined) {
      this.#finish(this.#end);
      return this.#end;
    }
    this.#stretch = undefined;
    if (!this.#isStarted) this.#perform();
    else {
      const wait = this.#wait;
      this.#wait = undefined;
      if (this.#start.span !== undefined) this.#traceOn(this.#start.span);
      if (this.#isCanceled) this.#tools.questions?.reject(canceled());
      else this.#tools.questions?.deliver();
      wait?.over.resolve();
    }
    return this.#end ?? (this.#stretch ??= createDeferred()).promise;
  }

  /**
   * Takes up an answer for a handler that waits: reads what has been added to the log, and records that this node has
   * it. Resolves with false when there is no answer. The handler gets it with `proceed`.
   */
  async takeUp(): Promise<boolean> {
    const wait = (this.#wait ??= new Wait());
    wait.isRising = true;
    if ((await this.#writer.ensure()) === undefined) return false;
    if (wait.isGivenUp) return true;
    if (this.#tools.questions?.isWaiting === true && !this.#isCanceled) {
      wait.isRising = false;
      this.#rest();
      return false;
    }
    if (this.#journal.isTakenUp) return true;
    const resumed = this.#takesUp();
    return this.#writer.tryWrite(() => ({ events: [resumed] }));
  }

  /** What records that this handler takes up an answer; `undefined` when it takes up nothing more. */
  takesUp(credentials?: JsonValue): LogEvent | undefined {
    return this.#writer.takesUp(credentials);
  }

  #takesUp(credentials?: JsonValue): LogEvent {
    if (credentials !== undefined) this.#tools.renewCredentials(credentials);
    const resumed = this.#journal.resumed("goes-on", this.#host.agent.version);
    const trace = this.#start.span?.prepare();
    return trace === undefined ? resumed : { ...resumed, trace };
  }

  /** Begins the handler. One that has its answer at hand, and has told nothing else, is over when this returns. */
  #perform(): void {
    let outcome: Outcome | Promise<Outcome>;
    try {
      outcome = this.#conduct();
      if (!(outcome instanceof Promise) && this.#ending().replies(outcome)) {
        this.#finish("over");
        return;
      }
    } catch (error) {
      outcome = Promise.reject(error);
    }
    void this.#conclude(outcome);
  }

  async #conclude(outcome: Outcome | Promise<Outcome>): Promise<void> {
    let end: RunEnd = "over";
    try {
      const given = await outcome;
      if (!this.#ending().replies(given)) end = await this.#ending().conclude(given);
    } catch (error) {
      this.#start.span?.fail(error);
      end = await this.#ending().concludeBadly(error);
    }
    this.#finish(end);
  }

  /** Made when it is needed: a handler that waits costs as little as possible. */
  #ending(): Ending {
    return new Ending({
      journal: this.#journal,
      writer: this.#writer,
      events: this.#events,
      tools: this.#tools,
      newId: this.#host.environment.newId,
      span: this.#start.span,
      isCanceled: () => this.#isCanceled,
      goOnWithoutAnswer: () => this.#goOnWithoutAnswer(),
      reply: (reply) => this.#decision.make({ reply }),
    });
  }

  /** Only the first end counts. */
  #finish(end: RunEnd): void {
    this.#end ??= end;
    this.#start.span?.end(this.#writer.isPlanned);
    this.#stretch?.resolve(this.#end);
    this.#writer.release();
    this.#decision.close();
  }

  #conduct(): Outcome | Promise<Outcome> {
    const writer = this.#writer;
    this.#isStarted = true;
    writer.beginWork();
    if (this.#isCanceled || writer.isLost) return undefined;
    const hasTask = this.#start.isTask || writer.isPlanned;
    return hasTask ? this.#showWork().then(() => this.#call()) : this.#call();
  }

  /** Shows in the task that the handler works. */
  async #showWork(): Promise<void> {
    const writer = this.#writer;
    const { state } = (await writer.ready()).replica;
    if (state !== "TASK_STATE_SUBMITTED") return;
    const working = this.#events.status("TASK_STATE_WORKING");
    await writer.write(() => ({ events: [working] }));
  }

  #call(): Outcome | Promise<Outcome> {
    const { span } = this.#start;
    return span === undefined ? this.#callHandler() : span.within(() => this.#callHandler());
  }

  #callHandler(): Outcome | Promise<Outcome> {
    const { agent } = this.#host;
    const result = agent.run(this.#tools.contextOf(this.#start.context));
    const outcome = isGenerator(result) ? this.#listen(result) : result;
    if (isPromise(outcome) || this.#tools.hasWork) return this.#settle(outcome);
    return checkOutcome(outcome, agent.name);
  }

  async #settle(result: unknown): Promise<Outcome> {
    const outcome = await result;
    if (this.#tools.hasWork) await this.#tools.finish();
    return checkOutcome(outcome, this.#host.agent.name);
  }

  async #listen(result: AsyncGenerator<Output, Outcome, void>): Promise<Outcome> {
    try {
      for (;;) {
        const next = await result.next();
        if (this.#isCanceled || this.#writer.isLost) return undefined;
        if (next.done === true) return next.value;
        const turn = this.#say(checkOutput(next.value, this.#host.agent.name));
        if (turn !== undefined) await turn;
      }
    } finally {
      // Runs the `finally` blocks of a handler that is left early, without waiting for them.
      void result.return(undefined).catch(() => undefined);
    }
  }

  #say(output: Output): Promise<void> | undefined {
    if (this.#tools.questions?.isOpen === true) return this.#sayWithoutAnswer(output);
    return this.#tools.teller.say(output);
  }

  async #sayWithoutAnswer(output: Output): Promise<void> {
    await this.#goOnWithoutAnswer();
    await this.#tools.teller.say(output);
  }

  /** A handler that yields or ends while its question is open goes on without the answer. */
  async #goOnWithoutAnswer(): Promise<void> {
    const { questions } = this.#tools;
    if (questions?.isOpen !== true) return;
    const wait = this.#wait;
    if (wait !== undefined) {
      wait.isGivenUp = true;
      if (!wait.isRising) {
        wait.isRising = true;
        this.#host.goesOn(this);
      }
      await wait.over.promise;
    }
    await questions.withdraw();
  }

  /** Lets go of slot and task while the handler waits for an answer, even if steps are under way beside it. */
  #restIfWaiting(): void {
    if (this.#wait?.isRising === true || this.#end !== undefined) return;
    const isIdle = this.#tools.inbox?.isIdle ?? true;
    if (isIdle && this.#tools.questions?.isWaiting === true) this.#rest();
  }

  #rest(): void {
    if (this.#stop.aborted) return;
    this.#wait ??= new Wait();
    // An answer that comes at this very moment finds it, as a holder or as one that waits.
    this.#host.waits(this);
    this.#start.span?.end(true);
    this.#writer.rest();
    this.#slot = undefined;
    (this.#stretch ??= createDeferred()).resolve("waits");
  }

  /** What the handler does after its wait is another span. */
  #traceOn(span: RunSpan): void {
    span.goOn(this.#journal.wokenBy);
    this.#writer.traceAs(span.stored);
    this.#tools.renewTrace(span.context);
  }

  /** Lets the handler wait for its task slot. One that is stopped does not wait. */
  #pause(): Promise<void> | undefined {
    const turn = this.#slot?.pause();
    return turn && Promise.race([turn, this.stopped]);
  }

  #cancel(): void {
    this.#isCanceled = true;
    this.#stop.abort(canceled());
    this.#tools.inbox?.wake();
    // A handler that waits learns it when it may work.
    if (this.#wait === undefined) this.#tools.questions?.reject(canceled());
  }

  /** Takes in an entry of the log. Of its own outputs and steps the run knows already. */
  #receive(entry: LiveEntry): void {
    const { event } = entry;
    if (this.#writer.isLost) return;
    if (!this.#writer.isClosing && isOfSuccessor(event, this.#attempt)) {
      this.#writer.lose(takenOver());
      return;
    }
    if (!isNews(event)) return;
    this.#journal.add(entry);
    const { kind } = event;
    if (kind === "cancel-requested") this.#cancel();
    else if (kind !== "message-added") return;
    this.#tools.inbox?.wake();
    if (this.#wait === undefined) this.#tools.questions?.deliver();
    // Steps beside the question may bring the news before anybody else does.
    else if (!this.#wait.isRising) this.#host.woken(this);
  }

  /** Ends the run when its task is lost, or could not be created. */
  #lose(reason: unknown, isDropped: boolean): void {
    this.#decision.fail(reason);
    if (isDropped) this.#tools.report(reason);
    this.#leave(isDropped ? "dropped" : "over", reason);
  }

  #leave(end: RunEnd, reason: unknown): void {
    this.#writer.stop();
    // A run that waits for its slot finishes when it gets one.
    if (this.#isStarted) this.#finish(end);
    else this.#end ??= end;
    this.#host.left(this);
    this.#stop.abort(reason);
    this.#tools.inbox?.wake();
  }
}
