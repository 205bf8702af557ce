import { A2AError, isTerminal } from "../../protocol/internal.js";
import type {
  CallContext,
  JsonObject,
  JsonValue,
  Message,
  SendMessageRequest,
} from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { describeCall, readCall } from "./call-record.js";
import { timestampOf } from "../clock.js";
import type { Draft } from "../log/draft.js";
import type { GivenContext } from "./handler-context.js";
import { Journal } from "./journal.js";
import { isRefused, LiveTask } from "../log/live-task.js";
import { placeMessage } from "./place-message.js";
import type { PushConfigs } from "../operations/push-configs.js";
import { textOf } from "../author/run-context.js";
import { delayAtMost, Roster } from "../../async/internal.js";
import type { RunEnvironment } from "../run-environment.js";
import { RunSlots } from "./run-slots.js";
import type { RunSlot } from "./run-slots.js";
import type { Held } from "./run-task.js";
import { Run } from "./run.js";
import type { RunStart } from "./run-start.js";
import type { TaskLookup } from "../operations/task-lookup.js";

/** A task that a send may create. */
export interface TaskPlan {
  /** The store's id and the one callers see. */
  readonly key: string;
  readonly taskId: string;
  readonly contextId: string;
  readonly owner: Owner;
  readonly origin: string;
  readonly request: SendMessageRequest;
  readonly call: CallContext;
  /** There is to be a task whatever the agent does. */
  readonly isTask: boolean;
  readonly idempotency?: NonNullable<Draft["idempotency"]>;
  /** For the first run, in memory only. */
  readonly credentials?: JsonValue;
}

interface RunnerParts {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  readonly lookup: TaskLookup;
  readonly pushConfigs: PushConfigs;
}

const pageSize = 1000;

/** Starts runs, one a task, and knows which are at work on this node. */
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

  /** Refuses work on a node that stops. */
  check(): void {
    if (this.#isStopping) throw new A2AError("UNAVAILABLE", "this node is stopping; try another");
  }

  /** A place for a run, before anything is stored; or the reason why there is none. */
  reserve(owner: Owner): RunSlot {
    this.check();
    return this.#slots.reserve(owner);
  }

  /** Runs the agent for a message that belongs to no task yet. */
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
   * Goes on with a task that this node holds: the run under way again from its start, or the next one
   * with a message that none has dealt with yet. Takes over the handle, and never rejects: false when it
   * did not work. Credentials are for this run alone: one that takes its place has none.
   */
  async startAgain(held: Held, reserved?: RunSlot, credentials?: JsonValue): Promise<boolean> {
    const { taskId: key, publicId: taskId, contextId, owner } = held.handle.live.origin;
    const slot = reserved ?? this.#slots.enqueue(owner);
    try {
      const journal = await this.#openRun(held);
      const { message } = journal;
      if (isTerminal(held.handle.live.state)) throw endedMeanwhile();
      if (message === undefined) throw new Error("the log does not say what the run is to answer");
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

  /** Ends all runs: gives them time, then leaves them to other nodes. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    const running = this.#running.members();
    const done = Promise.allSettled(running.map(({ work }) => work));
    const isDone = new AbortController();
    void done.finally(() => isDone.abort());
    // Timers of the clock keep no process alive, and runs need not: without this it could end before its time.
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

  /** Starts the run that the one before it has given way to. */
  async #followUp({ epoch }: Run, key: string): Promise<void> {
    if (this.#isStopping) return;
    try {
      const handle = await this.#environment.lives.open(key);
      if (handle !== undefined) await this.startAgain({ handle, epoch });
    } catch (error) {
      this.#environment.orphans.add(key);
      throw error;
    }
  }

  /** The journal of the run that is to work now, which is written down as begun. */
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
    const { key, taskId, contextId, owner, origin, idempotency, request, call } = plan;
    const { store, bus, notifier, lives, node } = this.#environment;
    const { agent, pushConfigs } = this.#parts;
    const { message, at, journal, first } = begin;
    const task = { taskId: key, publicId: taskId };
    const live = new LiveTask(
      { store, bus, notifier },
      { ...task, owner, agent: agent.name, contextId, origin },
    );
    const { messageId } = message;
    const status = { state: "TASK_STATE_SUBMITTED", timestamp: timestampOf(at) } as const;
    const config = request.configuration?.taskPushNotificationConfig;
    const pushConfig = config && pushConfigs.recordOf(task, config, call);
    const handle = lives.add(live);
    try {
      const { sequence, epoch } = await live.write(() => ({
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
      // It may be stored nevertheless, and then somebody has to work on it.
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
    const { lookup } = this.#parts;
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
      referencedTasks: () => lookup.referenced(owner, message.referenceTaskIds ?? []),
      earlierTasks: async (limit = 20) => {
        const tasks = await lookup.earlier(owner, contextId, limit + 1);
        return tasks.filter(({ id }) => id !== taskId).slice(0, limit);
      },
    };
  }
}

/** Brings a journal up to the log's last entry. */
async function readInto(journal: Journal, live: LiveTask): Promise<void> {
  while (journal.lastSequence < live.sequence) {
    for (const entry of await live.read(journal.lastSequence, pageSize)) journal.add(entry);
  }
}

function endedMeanwhile(): A2AError {
  return new A2AError("UNSUPPORTED_OPERATION", "the task has ended before its run could begin");
}
