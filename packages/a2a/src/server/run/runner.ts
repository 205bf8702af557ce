import { delayAtMost, Roster } from "../../async/internal.js";
import { A2AError, isTerminal } from "../../protocol/internal.js";
import type {
  CallContext,
  JsonObject,
  JsonValue,
  Message,
  SendMessageRequest,
} from "../../protocol/internal.js";
import type { Owner, PushConfigRecord } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { textOf } from "../author/run-context.js";
import { timestampOf } from "../clock.js";
import type { Draft } from "../log/draft.js";
import type { LiveTask } from "../log/live-task.js";
import { isRefused } from "../log/write.js";
import type { RunEnvironment } from "../run-environment.js";
import { describeCall, readCall } from "./call-record.js";
import type { GivenContext } from "./handler-context.js";
import { Journal } from "./journal.js";
import { placeMessage } from "./place-message.js";
import type { RelatedTasks } from "./related-tasks.js";
import { RunSlots } from "./run-slots.js";
import type { RunSlot } from "./run-slots.js";
import type { RunStart } from "./run-start.js";
import type { Held } from "./run-task.js";
import { Run } from "./run.js";

/** What a run for a new message begins with, and the task that it may create. */
export interface TaskPlan {
  /** The key of the task in the store, and the id that callers see. */
  readonly key: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly owner: Owner;
  readonly createdIn: string;
  readonly request: SendMessageRequest;
  readonly call: CallContext;
  /** Creates a task whatever the agent does. */
  readonly isTask: boolean;
  readonly idempotency?: NonNullable<Draft["idempotency"]>;
  readonly pushConfig?: PushConfigRecord;
  /** For the first run. Never stored. */
  readonly credentials?: JsonValue;
}

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

  /** Starts a run for a message that belongs to no task yet. */
  startNew(plan: TaskPlan, slot: RunSlot): Run {
    const { key, taskId, contextId, owner, isTask } = plan;
    const message = placeMessage(plan.request.message, taskId, contextId);
    const journal = new Journal();
    journal.call = describeCall(plan.call, plan.request);
    const { credentials } = plan;
    const context = this.#contextOf({ journal, owner, taskId, contextId, message, credentials });
    const create = (first: Draft, at: number): Promise<Held> =>
      this.#createTask(plan, { message, at, journal, first });
    const { agent } = this.#parts;
    const start = { agent, journal, key, taskId, contextId, context, isTask, create };
    return this.#launch(start, slot);
  }

  /**
   * Continues a task that this node holds: starts the current run again, or, if that is over, the next run with
   * the oldest unread message. Releases the handle in the end. Never rejects: false when no run was started.
   * The credentials are for this run alone; a run that replaces it gets none.
   */
  async startAgain(held: Held, reserved?: RunSlot, credentials?: JsonValue): Promise<boolean> {
    const { taskId: key, publicId: taskId, contextId, owner } = held.handle.live.identity;
    const slot = reserved ?? this.#slots.enqueue(owner);
    try {
      const journal = await this.#openRun(held);
      const { message } = journal;
      if (isTerminal(held.handle.live.state)) throw endedMeanwhile();
      if (message === undefined) throw new Error("the log has no message for the run to answer");
      this.check();
      const { agent } = this.#parts;
      const context = this.#contextOf({ journal, owner, taskId, contextId, message, credentials });
      const create = async (): Promise<Held> => held;
      this.#launch({ agent, journal, key, taskId, contextId, context, held, create }, slot);
      return true;
    } catch (error) {
      slot.release();
      held.handle.release();
      if (!isRefused(error)) {
        this.#environment.orphans.add(key);
        this.#environment.report(error, taskId);
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
    const work = this.#work(run, start, slot);
    const place = this.#running.add({ run, work });
    const leave = (): void => this.#running.remove(place);
    work.then(leave, (error: unknown) => {
      leave();
      this.#environment.report(error, start.taskId);
    });
    return run;
  }

  async #work(run: Run, { key }: RunStart, slot: RunSlot): Promise<void> {
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

  async #createTask(
    plan: TaskPlan,
    begin: {
      readonly message: Message;
      readonly at: number;
      readonly journal: Journal;
      readonly first: Draft;
    },
  ): Promise<Held> {
    const { key, taskId, contextId, owner, createdIn, idempotency, pushConfig } = plan;
    const { liveTasks, node } = this.#environment;
    const agent = this.#parts.agent.name;
    const { message, at, journal, first } = begin;
    const { messageId } = message;
    const status = { state: "TASK_STATE_SUBMITTED", timestamp: timestampOf(at) } as const;
    const identity = { taskId: key, publicId: taskId, owner, agent, contextId, createdIn };
    const handle = liveTasks.create(identity);
    try {
      const { sequence, epoch } = await handle.live.write(() => ({
        events: [
          { kind: "task-created", taskId, contextId, status },
          { kind: "message-added", message },
          { kind: "run-started", run: 1, messageId, call: journal.call },
          ...first.events,
        ],
        node: first.node === undefined ? node : first.node,
        messageIds: [messageId],
        ...(idempotency !== undefined && { idempotency }),
        ...(pushConfig !== undefined && { pushConfig }),
      }));
      journal.run = 1;
      journal.lastSequence = sequence;
      return { handle, epoch };
    } catch (error) {
      handle.release();
      // The store may have committed the task, so recovery has to look at it.
      if (!isRefused(error)) this.#environment.orphans.add(key);
      throw error;
    }
  }

  #contextOf(of: {
    readonly journal: { readonly call: JsonObject; readonly history: readonly Message[] };
    readonly owner: Owner;
    readonly taskId: string;
    readonly contextId: string;
    readonly message: Message;
    readonly credentials: JsonValue | undefined;
  }): GivenContext {
    const { journal, owner, taskId, contextId, message, credentials } = of;
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
  while (journal.lastSequence < live.sequence) {
    for (const entry of await live.read(journal.lastSequence, pageSize)) journal.add(entry);
  }
}

function endedMeanwhile(): A2AError {
  return new A2AError("UNSUPPORTED_OPERATION", "the task ended before its run could begin");
}
