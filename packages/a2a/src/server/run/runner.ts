import { delayAtMost, Roster } from "../../async/internal.js";
import { A2AError, isTerminal } from "../../protocol/internal.js";
import type { JsonValue, Message } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { textOf } from "../author/run-context.js";
import type { LiveTask } from "../log/live-task.js";
import type { TaskIdentity } from "../log/task-identity.js";
import { isRefused } from "../log/write.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Birth } from "./birth.js";
import { readCall } from "./call-record.js";
import type { GivenContext } from "./handler-context.js";
import { Journal } from "./journal.js";
import type { RelatedTasks } from "./related-tasks.js";
import { RunSlots } from "./run-slots.js";
import type { RunSlot } from "./run-slots.js";
import { Run } from "./run.js";
import type { RunStart } from "./run.js";
import { TaskWriter } from "./task-writer.js";
import type { Held } from "./task-writer.js";

interface RunnerParts {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  readonly relatedTasks: RelatedTasks;
}

const pageSize = 1000;

/** Starts runs, one per task, and knows which ones work on this node. */
export class Runner {
  readonly #parts: RunnerParts;
  readonly #environment: RunEnvironment;
  readonly #slots: RunSlots;
  readonly #running = new Roster<{ readonly run: Run; readonly work: Promise<void> }>();
  #isStopping = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#environment = parts.environment;
    this.#slots = new RunSlots(parts.environment.settings);
  }

  /** True when this node can take on no more runs. */
  get isFull(): boolean {
    return this.#isStopping || this.#slots.isFull;
  }

  /** Throws `UNAVAILABLE` when this node is stopping. */
  check(): void {
    if (this.#isStopping) throw new A2AError("UNAVAILABLE", "this node is stopping; try another");
  }

  /** Reserves a slot for a run before anything is stored. Throws when there is none. */
  reserve(owner: Owner): RunSlot {
    this.check();
    return this.#slots.reserve(owner);
  }

  /**
   * Starts a run for a message that belongs to no task yet. Throws when there is no slot for it. With `isTask` the
   * run creates a task whatever the agent does.
   */
  startNew(
    birth: Birth,
    { isTask, credentials }: { readonly isTask: boolean; readonly credentials?: JsonValue },
  ): Run {
    const slot = this.reserve(birth.identity.owner);
    const journal = new Journal();
    journal.run = 1;
    journal.message = birth.message;
    journal.call = birth.call;
    const writer = TaskWriter.unborn(this.#environment, birth);
    const context = this.#contextOf(writer.identity, journal, birth.message, credentials);
    return this.#launch({ agent: this.#parts.agent, journal, writer, context, isTask }, slot);
  }

  /**
   * Continues a task that this node holds: starts the current run again, or, if that is over, the next run with
   * the oldest unread message. Releases the handle in the end. Never rejects: false when no run was started.
   * The credentials are for this run alone; a run that replaces it gets none.
   */
  async startAgain(held: Held, reserved?: RunSlot, credentials?: JsonValue): Promise<boolean> {
    const { identity } = held.handle.live;
    const slot = reserved ?? this.#slots.enqueue(identity.owner);
    try {
      const journal = await this.#openRun(held);
      const { message } = journal;
      if (isTerminal(held.handle.live.replica.state)) throw endedMeanwhile();
      if (message === undefined) throw new Error("the log has no message for the run to answer");
      this.check();
      const writer = TaskWriter.born(this.#environment, held, journal.lastSequence);
      const context = this.#contextOf(identity, journal, message, credentials);
      this.#launch({ agent: this.#parts.agent, journal, writer, context }, slot);
      return true;
    } catch (error) {
      slot.release();
      held.handle.release();
      if (!isRefused(error)) {
        this.#environment.orphans.add(identity.taskId);
        this.#environment.report(error, identity.publicId);
      }
      return false;
    }
  }

  /** Gives all runs time to finish, then leaves them to other nodes. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    const running = this.#running.members();
    const done = Promise.allSettled(running.map(({ work }) => work));
    const isDone = new AbortController();
    void done.finally(() => isDone.abort());
    // Neither the clock's timers nor runs keep a process alive; this does, until the runs have stopped.
    const alive = setInterval(() => undefined, 60_000);
    try {
      await delayAtMost(this.#environment.clock, graceMs, isDone.signal);
      for (const { run } of running) run.detach();
      await done;
    } finally {
      clearInterval(alive);
    }
  }

  #launch(start: RunStart, slot: RunSlot): Run {
    const run = new Run(this.#environment, start);
    const { taskId: key, publicId } = start.writer.identity;
    const work = this.#work(run, key, slot);
    const place = this.#running.add({ run, work });
    const leave = (): void => this.#running.remove(place);
    work.then(leave, (error: unknown) => {
      leave();
      this.#environment.report(error, publicId);
    });
    return run;
  }

  async #work(run: Run, key: string, slot: RunSlot): Promise<void> {
    try {
      if (slot.turn !== undefined) await Promise.race([slot.turn, run.stopped]);
      const end = await run.execute();
      if (end === "dropped") this.#environment.orphans.add(key);
      if (end === "continues") await this.#followUp(run, key);
    } finally {
      slot.release();
    }
  }

  /** Starts the next run of a task whose run has ended with a message left to answer. */
  async #followUp({ epoch }: Run, key: string): Promise<void> {
    if (this.#isStopping) return;
    try {
      const handle = await this.#environment.liveTasks.open(key);
      if (handle !== undefined) await this.startAgain({ handle, epoch });
    } catch (error) {
      this.#environment.orphans.add(key);
      throw error;
    }
  }

  /** Reads the journal of the run to start. Writes the start of a new run if the current one is over. */
  async #openRun({ handle: { live }, epoch }: Held): Promise<Journal> {
    const journal = new Journal();
    await live.refresh();
    await readInto(journal, live);
    const next = journal.isOver ? journal.nextRun() : undefined;
    if (next !== undefined) {
      await live.write(() => ({ events: [next] }), { epoch });
      await readInto(journal, live);
    }
    return journal;
  }

  #contextOf(
    { owner, publicId: taskId, contextId }: TaskIdentity,
    journal: Journal,
    message: Message,
    credentials: JsonValue | undefined,
  ): GivenContext {
    const { relatedTasks } = this.#parts;
    const { caller, metadata, extensions, acceptedOutputModes } = readCall(journal.call);
    return {
      message,
      text: textOf(message),
      taskId,
      contextId,
      caller,
      tenant: owner.tenant === "" ? undefined : owner.tenant,
      metadata,
      credentials,
      extensions,
      acceptedOutputModes,
      history: journal.history,
      referencedTasks: () => relatedTasks.referenced(owner, message.referenceTaskIds ?? []),
      earlierTasks: async (limit = 20) => {
        const tasks = await relatedTasks.earlier(owner, contextId, limit + 1);
        return tasks.filter(({ id }) => id !== taskId).slice(0, limit);
      },
    };
  }
}

/** Brings a journal up to the last entry of the log. */
async function readInto(journal: Journal, live: LiveTask): Promise<void> {
  while (journal.lastSequence < live.replica.sequence) {
    for (const entry of await live.read(journal.lastSequence, pageSize)) journal.add(entry);
  }
}

function endedMeanwhile(): A2AError {
  return new A2AError("UNSUPPORTED_OPERATION", "the task ended before its run could begin");
}
