import { A2AError } from "../protocol/index.js";
import type {
  CallContext,
  JsonObject,
  JsonValue,
  Message,
  Principal,
  SendMessageRequest,
  Task,
} from "../protocol/index.js";
import type { Owner } from "../store/index.js";
import type { Agent } from "./agent.js";
import { timestampOf } from "./clock.js";
import { Journal } from "./journal.js";
import { LiveTask } from "./live-task.js";
import type { Draft } from "./live-task.js";
import type { LiveHandle } from "./live-tasks.js";
import { textOf } from "./run-context.js";
import type { RunContext } from "./run-context.js";
import type { RunEnvironment } from "./run-environment.js";
import { RunSlots } from "./run-slots.js";
import { Run } from "./run.js";
import type { RunStart } from "./run.js";

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
  readonly idempotency?: NonNullable<Draft["idempotency"]>;
}

/** Looks up other tasks on behalf of a run. */
export interface TaskLookup {
  referenced(owner: Owner, ids: readonly string[]): Promise<readonly Task[]>;
  earlier(owner: Owner, contextId: string, limit: number): Promise<readonly Task[]>;
}

/** Starts runs, one a task, and knows which are at work on this node. */
export class Runner {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #lookup: TaskLookup;
  readonly #slots: RunSlots;
  readonly #running = new Map<Run, Promise<void>>();
  readonly #orphans = new Set<string>();
  #isStopping = false;

  constructor(environment: RunEnvironment, agent: Agent, lookup: TaskLookup) {
    this.#environment = environment;
    this.#agent = agent;
    this.#lookup = lookup;
    this.#slots = new RunSlots(environment.settings);
  }

  /** Refuses work that this node cannot take on, before anything is stored. */
  check(): void {
    if (this.#isStopping) throw new A2AError("UNAVAILABLE", "this node is stopping; try another");
    this.#slots.check();
  }

  /** Runs the agent for a message that belongs to no task yet. */
  startNew(plan: TaskPlan): Run {
    const { taskId, contextId, owner } = plan;
    const message = { ...plan.request.message, taskId, contextId };
    const journal = new Journal();
    journal.messageId = message.messageId;
    journal.call = describeCall(plan.call, plan.request);
    const context = this.#contextOf({ journal, owner, taskId, contextId, message });
    const create = (first: Draft): Promise<LiveHandle> =>
      this.#createTask(plan, { message, journal, first });
    return this.#launch({ agent: this.#agent, journal, taskId, contextId, context, create });
  }

  /**
   * Goes on with a task that this node has claimed: the run under way again from its start, or the next
   * one with a message that none has dealt with yet.
   */
  async startAgain(handle: LiveHandle): Promise<void> {
    const { live } = handle;
    try {
      const journal = await loadJournal(handle);
      const unread = journal.isRunOver ? journal.unread() : undefined;
      if (unread !== undefined) await this.#beginRun(handle, journal, unread);
      const { publicId: taskId, contextId, owner } = live.origin;
      const message = journal.message(journal.messageId);
      const context = this.#contextOf({ journal, owner, taskId, contextId, message });
      this.#launch({ agent: this.#agent, journal, taskId, contextId, context, handle });
    } catch (error) {
      handle.release();
      this.addOrphan(live.origin.taskId);
      throw error;
    }
  }

  /**
   * Notes, by the store's id, a task that this node holds without a run at work on it, because the store
   * failed in between. While the node lives no other would take it over.
   */
  addOrphan(taskKey: string): void {
    this.#orphans.add(taskKey);
  }

  /** The tasks noted since the last call. */
  takeOrphans(): readonly string[] {
    const orphans = Array.from(this.#orphans);
    this.#orphans.clear();
    return orphans;
  }

  /** Ends all runs: gives them time, then leaves them to other nodes. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    const done = Promise.all(this.#running.values());
    let isOver = false;
    await Promise.race([
      done.then(() => (isOver = true)),
      new Promise<void>((resolve) => void this.#environment.clock.after(graceMs, resolve)),
    ]);
    if (isOver) return;
    for (const run of this.#running.keys()) run.detach();
    await done;
  }

  #launch(start: RunStart): Run {
    const run = new Run(this.#environment, start);
    this.#running.set(
      run,
      this.#work(run, start).finally(() => this.#running.delete(run)),
    );
    return run;
  }

  async #work(run: Run, start: RunStart): Promise<void> {
    await this.#slots.acquire();
    try {
      const { continues, orphaned } = await run.execute();
      if (orphaned !== undefined) this.addOrphan(orphaned);
      if (continues !== undefined && !this.#isStopping) await this.#followUp(continues);
    } catch (error) {
      this.#environment.report(error, start.taskId);
    } finally {
      this.#slots.release();
    }
  }

  async #followUp(taskKey: string): Promise<void> {
    try {
      const handle = await this.#environment.lives.open(taskKey);
      if (handle !== undefined) await this.startAgain(handle);
    } catch (error) {
      this.addOrphan(taskKey);
      throw error;
    }
  }

  async #beginRun(handle: LiveHandle, journal: Journal, message: Message): Promise<void> {
    const before = handle.live.sequence;
    const { node } = this.#environment;
    await handle.live.write(() => ({ events: [journal.nextRun(message)], node }));
    for (const entry of await handle.live.read(before, 1000)) journal.add(entry);
  }

  async #createTask(
    plan: TaskPlan,
    begin: { readonly message: Message; readonly journal: Journal; readonly first: Draft },
  ): Promise<LiveHandle> {
    const { key, taskId, contextId, owner, origin, idempotency } = plan;
    const { store, bus, lives, clock, node } = this.#environment;
    const { message, journal, first } = begin;
    const agent = this.#agent.name;
    const publicId = taskId;
    const live = new LiveTask(
      { store, bus },
      { taskId: key, publicId, owner, agent, contextId, origin },
    );
    live.hold(true);
    const handle = lives.add(live);
    const { messageId } = message;
    const timestamp = timestampOf(clock.now());
    const status = { state: "TASK_STATE_SUBMITTED", timestamp } as const;
    try {
      await live.write(() => ({
        events: [
          { kind: "task-created", taskId, contextId, status },
          { kind: "message-added", message },
          { kind: "run-started", run: 1, messageId, call: journal.call },
          ...first.events,
        ],
        node,
        messageIds: [messageId],
        ...(idempotency !== undefined && { idempotency }),
      }));
    } catch (error) {
      handle.release();
      // Whether it was stored is not known, unless it was refused.
      if (!isConflict(error)) this.addOrphan(key);
      throw error;
    }
    journal.run = 1;
    journal.lastSequence = live.sequence;
    return handle;
  }

  #contextOf(of: {
    readonly journal: Journal;
    readonly owner: Owner;
    readonly taskId: string;
    readonly contextId: string;
    readonly message: Message;
  }): RunStart["context"] {
    const { journal, owner, taskId, contextId, message } = of;
    const call = readCall(journal.call);
    const before = journal.history.findIndex(({ messageId }) => messageId === message.messageId);
    return {
      message,
      text: textOf(message),
      taskId,
      contextId,
      ...call,
      ...(owner.tenant !== "" && { tenant: owner.tenant }),
      history: before > 0 ? journal.history.slice(0, before) : [],
      referencedTasks: () => this.#lookup.referenced(owner, message.referenceTaskIds ?? []),
      earlierTasks: async (limit = 20) => {
        const tasks = await this.#lookup.earlier(owner, contextId, limit + 1);
        return tasks.filter(({ id }) => id !== taskId).slice(0, limit);
      },
    };
  }
}

function isConflict(error: unknown): boolean {
  return A2AError.is(error) && error.code === "CONCURRENT_MODIFICATION";
}

/** What is recorded of a task, from its whole log. */
async function loadJournal({ live }: LiveHandle): Promise<Journal> {
  const journal = new Journal();
  const upTo = live.sequence;
  while (journal.lastSequence < upTo) {
    const page = await live.read(journal.lastSequence, 1000);
    if (page.length === 0) break;
    for (const entry of page) journal.add(entry);
  }
  return journal;
}

/** What a run has to know of its call, as JSON, for when it goes on elsewhere. */
function describeCall(call: CallContext, request: SendMessageRequest): JsonObject {
  const modes = request.configuration?.acceptedOutputModes;
  return {
    ...(call.principal !== undefined && { caller: call.principal as unknown as JsonValue }),
    ...(request.metadata !== undefined && { metadata: request.metadata }),
    ...(call.extensions !== undefined && { extensions: call.extensions }),
    ...(modes !== undefined && { acceptedOutputModes: modes }),
  };
}

function readCall(
  call: JsonObject,
): Pick<RunContext, "caller" | "metadata" | "extensions" | "acceptedOutputModes"> {
  const { caller, metadata, extensions = [], acceptedOutputModes = [] } = call;
  return {
    ...(caller !== undefined && { caller: caller as unknown as Principal }),
    ...(metadata !== undefined && { metadata: metadata as JsonObject }),
    extensions: extensions as readonly string[],
    acceptedOutputModes: acceptedOutputModes as readonly string[],
  };
}
