import { delayAtMost, keepAlive, LightSignal } from "../../async/internal.js";
import { A2AError, isTerminal } from "../../protocol/internal.js";
import type { AgentLoad, JsonValue, TraceContext } from "../../protocol/internal.js";
import type { Agent } from "../author/agent.js";
import { Journal, traceOfCall } from "../journal/journal.js";
import { openRun } from "../journal/open-run.js";
import type { Beginning, OpenRun } from "../journal/open-run.js";
import { handOver } from "../log/hand-over.js";
import { isRefused } from "../log/write.js";
import type { TaskIdentity } from "../log/task-identity.js";
import type { Recovered } from "../meters.js";
import type { RunEnvironment } from "../run-environment.js";
import type { RunSlot } from "../shares/run-slot.js";
import { RunSlots, waitedTooLong } from "../shares/run-slots.js";
import type { RunFigures } from "../shares/run-slots.js";
import { shareOfOwner, subjectsOf } from "../shares/share.js";
import { Activation } from "./activation.js";
import type { ActivationHost, RunEnd } from "./activation-host.js";
import type { ActivationStart } from "./activation-start.js";
import { failTask } from "./fail-task.js";
import { givenContext } from "./given-context.js";
import { endedMeanwhile } from "./leave-reasons.js";
import type { RelatedTasks } from "./related-tasks.js";
import { RunSpans } from "./spans/run-spans.js";
import { firstRun } from "./spans/run-begin.js";
import { RunSpan } from "./spans/run-span.js";
import { Answers } from "./waiting/answers.js";
import { claimIfLate } from "./waiting/take-up.js";
import type { LeftAnswer } from "./waiting/take-up.js";
import { WorkAtHand } from "./work-at-hand.js";
import type { Birth } from "./writer/birth.js";
import type { Held } from "./writer/held.js";
import { TaskWriter } from "./writer/task-writer.js";

interface RunnerParts {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  readonly relatedTasks: RelatedTasks;
}

/** What is at work and waiting on a node, at this moment. */
export interface WorkFigures {
  /** Runs at work, and runs that wait for a slot. */
  readonly runs: RunFigures;
  /** Handlers that wait for an answer, and roughly how many bytes of messages and results with them. */
  readonly suspended: { readonly waiting: number; readonly bytes: number };
}

/** How the first run of a task begins. */
interface NewRun {
  /** As whom it counts. */
  readonly share: string;
  /** It creates a task whatever the agent does. */
  readonly isTask: boolean;
  readonly credentials?: JsonValue;
  /** The trace of its call. */
  readonly trace: TraceContext | undefined;
  /** Its caller waits for it. */
  readonly isAwaited: boolean;
}

/** How a run is begun again. */
interface BeginAgain extends OpenRun {
  readonly slot?: RunSlot;
  /** As whom the run counts; as the owner of its task when absent. */
  readonly share?: string;
  /** For this activation alone; one that replaces it gets none. */
  readonly credentials?: JsonValue;
}

/** Starts handlers, one per task, and knows which ones work and wait on this node. */
export class Runner {
  /** Brings answers to the handlers that wait on this node. */
  readonly answers: Answers;
  readonly #parts: RunnerParts;
  readonly #environment: RunEnvironment;
  readonly #slots: RunSlots;
  readonly #host: ActivationHost<Activation>;
  readonly #atWork: WorkAtHand;
  /** Tasks whose run is about to begin on this node, or to go on, and how often. */
  readonly #beginning = new Map<string, number>();
  readonly #stop = new LightSignal();
  /** Absent where nobody traces. */
  readonly #spans: RunSpans | undefined;
  #freed: () => void = () => undefined;

  constructor(parts: RunnerParts) {
    const { environment, agent } = parts;
    this.#parts = parts;
    this.#environment = environment;
    this.#slots = new RunSlots(environment.settings);
    this.#atWork = new WorkAtHand(environment);
    const { telemetry, slot } = environment;
    const { tracer } = telemetry;
    this.#spans = tracer && new RunSpans(tracer, agent.name, slot);
    this.#host = {
      agent,
      environment,
      waits: (activation) => this.answers.add(activation),
      woken: (activation) => this.#takeUp(activation),
      goesOn: (activation) => this.#goOn(activation),
      left: (activation) => this.#forget(activation),
    };
    this.answers = new Answers({
      environment,
      agent,
      stop: this.#stop,
      takeUp: (activation) => this.#takeUp(activation),
    });
  }

  /** For how many stored tasks a run can begin here at once, and of which callers none can. */
  get room(): { readonly slots: number; readonly exceptSubjects: readonly string[] } {
    const { free, crowded } = this.#slots.tasks;
    const slots = this.isFull ? 0 : free;
    return { slots, exceptSubjects: subjectsOf(crowded) };
  }

  /** True when this node can take over no more tasks. */
  get isFull(): boolean {
    return this.#isStopping || this.#slots.isFull;
  }

  /** Calls back whenever a run has left its slot. */
  onFreed(callback: () => void): void {
    this.#freed = callback;
  }

  /** How many runs work and wait for a slot here, and how many handlers wait for an answer. */
  get figures(): WorkFigures {
    return { runs: this.#slots.figures, suspended: this.answers.figures };
  }

  /** Whether further runs begin, wait, or are refused whoever calls. */
  get load(): AgentLoad {
    if (this.#slots.refusesAll) return "full";
    return this.#slots.isSaturated ? "saturated" : "light";
  }

  /** Throws `UNAVAILABLE` when this node is stopping. */
  check(): void {
    if (this.#isStopping) throw new A2AError("UNAVAILABLE", "this node is stopping; try another");
  }

  /** Reserves a slot for a run before anything is stored. Throws when there is none. */
  reserve(share: string, kind: "task" | "reply"): RunSlot {
    this.check();
    return this.#slots.reserve(share, kind);
  }

  /**
   * Starts a run for a message that belongs to no task yet. Throws when there is no slot for it. With `isTask` the
   * run creates a task whatever the agent does.
   */
  startNew(birth: Birth, { share, isTask, credentials, trace, isAwaited }: NewRun): Activation {
    const slot = this.reserve(share, isTask ? "task" : "reply");
    const journal = new Journal();
    journal.run = 1;
    journal.attempt = 1;
    journal.message = birth.message;
    journal.call = birth.call;
    journal.wokenBy = traceOfCall(birth.call);
    const { relatedTasks } = this.#parts;
    const spans = this.#spans;
    const span = spans && new RunSpan(spans, firstRun(birth.identity, trace, isAwaited));
    const writer = TaskWriter.unborn(this.#environment, birth);
    const context = givenContext(writer.identity, {
      journal,
      message: birth.message,
      credentials,
      relatedTasks,
      trace: span?.context,
    });
    return this.#launch({ journal, writer, context, span, share, slot, isTask, artifacts: [] });
  }

  /**
   * Continues a task that this node holds and no handler on this node stands in: begins the current run again, or, if
   * that is over, the next run with the oldest unread message; or fails a task that cannot be continued. Releases the
   * handle in the end. Never rejects: false when nothing was done.
   */
  startAgain(held: Held, options: BeginAgain = {}): Promise<boolean> {
    return this.#begin(held.handle.live.identity.taskId, () => this.#startAgain(held, options));
  }

  /** Tells what became of a task that no node worked on. */
  #recovered(outcome: Recovered, { publicId: taskId }: TaskIdentity, reason?: string): void {
    const { meters, log } = this.#environment;
    meters?.recovered(outcome);
    const level = outcome === "resumed" ? "info" : "warn";
    log(level, "task.recovered", { taskId, outcome, ...(reason && { msg: reason }) });
  }

  async #startAgain(held: Held, options: BeginAgain): Promise<boolean> {
    const { live } = held.handle;
    const { identity } = live;
    const { share = shareOfOwner(identity.owner), slot = this.#slots.enqueue(share) } = options;
    const spans = this.#spans;
    let span: RunSpan | undefined;
    const begin =
      spans &&
      ((beginning: Beginning) => {
        span = new RunSpan(spans, { identity, ...beginning });
        return span.stored;
      });
    try {
      const { agent } = this.#parts;
      const journal = await openRun(live, { agent, epoch: held.epoch, begin }, options);
      if (typeof journal === "string") {
        await failTask(this.#environment, { live, epoch: held.epoch }, journal);
        if (options.isRecovery === true) this.#recovered("failed", identity, journal);
        slot.release();
        held.handle.release();
        return true;
      }
      if (isTerminal(live.replica.state)) throw endedMeanwhile();
      const { message } = journal;
      if (message === undefined) throw new Error("the log has no message for the run to answer");
      this.check();
      const { artifacts = [] } = journal.attempt > 1 ? (await live.snapshot()).task : {};
      const { relatedTasks } = this.#parts;
      const { credentials } = options;
      const writer = TaskWriter.born(this.#environment, held, journal.lastSequence);
      const context = givenContext(identity, {
        journal,
        message,
        credentials,
        relatedTasks,
        trace: span?.context,
      });
      this.#launch({ journal, writer, context, span, share, slot, isTask: false, artifacts });
      if (options.isRecovery === true) this.#recovered("resumed", identity);
      return true;
    } catch (error) {
      span?.fail(error);
      span?.end(true);
      slot.release();
      held.handle.release();
      if (!isRefused(error) && !this.#isStopping) {
        if (options.isRecovery === true) this.#environment.meters?.recovered("not-possible");
        this.#environment.orphans.add(identity.taskId);
        this.#environment.report(error, identity.publicId);
      }
      return false;
    }
  }

  /** A run of this task is about to work on this node, as long as this lasts. */
  async #begin<T>(taskId: string, work: () => Promise<T>): Promise<T> {
    this.#beginning.set(taskId, (this.#beginning.get(taskId) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const count = (this.#beginning.get(taskId) ?? 0) - 1;
      if (count > 0) this.#beginning.set(taskId, count);
      else this.#beginning.delete(taskId);
    }
  }

  /** Leaves an answer to the node that holds the handler, and claims the task if that node does not take it up. */
  async leaveToHolder(left: LeftAnswer): Promise<void> {
    const { handle, share } = left;
    const epoch = await claimIfLate(this.#environment, left, this.#stop);
    if (epoch === undefined) handle.release();
    else await this.startAgain({ handle, epoch }, { share });
  }

  /** True when a handler of this task, under this epoch or any, works on this node or is about to. */
  isAtWork(taskId: string, epoch?: number): boolean {
    const live = this.#environment.liveTasks.peek(taskId);
    const holder = live?.holder;
    const isHeld = holder !== undefined && (epoch ?? holder.epoch) === holder.epoch;
    return isHeld || live?.isWriting === true || this.#beginning.has(taskId);
  }

  /** Leaves the runs at work, with their tasks, to other nodes at once. They repeat what is recorded, and go on from there. */
  async handOver(): Promise<void> {
    const { bus } = this.#environment;
    const all = this.#atWork.storedRuns();
    await Promise.all(all.map((activation) => handOver(this.#environment, activation)));
    if (all.length > 0) bus.publishTopic("abandoned", this.#parts.agent.name);
  }

  /**
   * This node has no lease any more, so other nodes may have taken over its tasks: leaves the runs at work. Those that
   * nobody has taken over begin again here.
   */
  lapse(): void {
    const reason = new Error("this node has lost its lease; the run goes on elsewhere");
    for (const activation of this.#atWork.storedRuns()) {
      activation.leave(reason);
      this.#environment.orphans.add(activation.identity.taskId);
    }
  }

  /**
   * Gives all runs time to finish, then leaves them to other nodes; those that other nodes can repeat at once, with
   * `handsOver`. Handlers that wait are left at once.
   */
  async stop(graceMs: number, handsOver: boolean): Promise<void> {
    this.#stop.abort();
    if (handsOver) await this.handOver();
    const done = this.#finished();
    const isDone = new AbortController();
    void done.finally(() => isDone.abort());
    // Neither the clock's timers nor runs keep a process alive; this does, until the runs have stopped.
    const letEnd = keepAlive(this.#environment.clock);
    try {
      await delayAtMost(this.#environment.clock, graceMs, isDone.signal);
      this.#atWork.leave();
      await done;
    } finally {
      letEnd();
    }
  }

  /** Drops the handlers that wait. Resolves when no handler works any more, those that get their answers just now included. */
  async #finished(): Promise<void> {
    await this.answers.clear();
    await this.#atWork.finished();
  }

  get #isStopping(): boolean {
    return this.#stop.aborted;
  }

  /** Lets work that is no run finish before this node stops, or aborts it when the time to finish is over. */
  keep(work: Promise<unknown>, stop: LightSignal): void {
    this.#atWork.add(work, stop);
  }

  #launch(start: ActivationStart): Activation {
    const activation = new Activation(this.#host, start);
    this.#enter(activation, start.slot);
    return activation;
  }

  #enter(activation: Activation, slot: RunSlot): void {
    const work = this.#work(activation, slot);
    if (work !== undefined) this.#atWork.addRun(activation, work);
  }

  /** A handler that waited works again. It was accepted before, so it is not refused. */
  #goOn(activation: Activation): void {
    if (!this.answers.remove(activation)) return;
    this.#enter(activation, this.#slots.enqueue(activation.share));
  }

  /** Lets a handler work in its slot. Returns nothing to wait for if its run is over at once. */
  #work(activation: Activation, slot: RunSlot): Promise<void> | undefined {
    const { turn } = slot;
    const end =
      turn === undefined
        ? this.#proceed(activation, slot)
        : this.#await(turn, activation).then(() => this.#proceed(activation, slot));
    if (end !== "over") return this.#finish(activation, slot, end);
    this.#free(slot);
    return undefined;
  }

  #proceed(activation: Activation, slot: RunSlot): RunEnd | Promise<RunEnd> {
    const { meters, clock } = this.#environment;
    if (meters === undefined) return activation.proceed(slot);
    const startedAt = clock.now();
    const end = activation.proceed(slot);
    const ended = (): void => meters.runEnded(clock.now() - startedAt);
    if (typeof end === "string") ended();
    else void end.then(ended, ended);
    return end;
  }

  async #finish(
    activation: Activation,
    slot: RunSlot,
    working: RunEnd | Promise<RunEnd>,
  ): Promise<void> {
    try {
      const end = await working;
      if (end === "dropped") this.#drop(activation);
      if (end === "continues") await this.#followUp(activation);
    } finally {
      this.#free(slot);
    }
  }

  #free(slot: RunSlot): void {
    slot.release();
    this.#freed();
  }

  /** Waits for the turn of a run, unless it is stopped. One that has no task is turned away after `maxQueueMs`. */
  async #await(turn: Promise<void>, activation: Activation): Promise<void> {
    const { clock, settings } = this.#environment;
    const { maxQueueMs } = settings;
    const cancel = clock.after(maxQueueMs, () => activation.refuse(waitedTooLong(maxQueueMs)));
    try {
      await Promise.race([turn, activation.stopped]);
    } finally {
      cancel();
    }
  }

  /** A handler that waits has lost its task, which a step beside the question was the first to learn. */
  #forget(activation: Activation): void {
    const isWaiting = this.answers.remove(activation);
    if (isWaiting && activation.end === "dropped") this.#drop(activation);
  }

  /** Leaves a task to recovery whose handler was dropped in the middle. */
  #drop({ identity: { taskId } }: Activation): void {
    this.#environment.orphans.add(taskId);
  }

  /** Lets a handler go on whose answer is in the log. It was accepted before, so it is not refused. */
  #takeUp(activation: Activation): void {
    if (!this.answers.remove(activation)) return;
    const { taskId } = activation.identity;
    this.#atWork.addRun(
      activation,
      this.#begin(taskId, () => activation.takeUp()).then((isAnswered) =>
        this.#rise(activation, isAnswered),
      ),
    );
  }

  async #rise(activation: Activation, isAnswered: boolean): Promise<void> {
    if (isAnswered) await this.#work(activation, this.#slots.enqueue(activation.share));
    else if (activation.end === "dropped") this.#drop(activation);
  }

  /** Starts the next run of a task whose run has ended with a message left to answer. */
  async #followUp({ epoch, share, identity: { taskId } }: Activation): Promise<void> {
    if (this.#isStopping) return;
    try {
      await this.#begin(taskId, async () => {
        const handle = await this.#environment.liveTasks.open(taskId);
        const next = { share, isStarted: true };
        if (handle !== undefined) await this.startAgain({ handle, epoch }, next);
      });
    } catch (error) {
      this.#environment.orphans.add(taskId);
      throw error;
    }
  }
}
