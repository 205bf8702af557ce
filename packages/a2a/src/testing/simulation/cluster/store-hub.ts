import { isSettled, isTerminal } from "../../../protocol/internal.js";
import type { TaskState } from "../../../protocol/internal.js";
import type { Append, Appended, ClaimedTask, LogEvent, Store } from "../../../store/internal.js";
import { Archive } from "./archive.js";
import type { Life } from "./life.js";
import type { TaskSource, WholeTask, Written } from "./read-task.js";
import { reads, Standby, tasksOf } from "./standby.js";
import type { Deed } from "./standby.js";

interface Head {
  state: TaskState;
  /** The epoch of the last claim, as it was answered. */
  epoch: number;
  node: string | null | undefined;
}

/** The store that all nodes share, and what is known of its tasks without asking it. */
export class StoreHub implements TaskSource {
  /** Another one after a failover. */
  store: Store;
  /** Tasks of which a failover has lost something. */
  readonly lost: Set<string> = new Set();
  /** Tasks of which it has lost a claim: their epoch may be given a second time, and two nodes hold them for a while. */
  readonly lostClaims: Set<string> = new Set();
  /** Some tasks of the store are not looked at. */
  hasForgotten = false;
  /** How many tasks have neither ended nor wait for their callers. */
  active = 0;
  readonly #heads = new Map<string, Head>();
  readonly #written = new Map<string, Written[]>();
  readonly #holds = new Map<string, Set<string>>();
  readonly #createStore: (now: () => number) => Store;
  readonly #now: () => number;
  /** The moment at which a standby repeats something. */
  #repeatedAt: number | undefined;
  /** How much has been written, and by whom. A failover counts, too. */
  #writes = 0;
  readonly #writesBy = new WeakMap<Life, number>();
  readonly #draining = new Map<string, boolean>();
  readonly #standby: Standby | undefined;
  readonly #archive = new Archive(this);

  constructor({
    createStore,
    now,
    hasStandby,
  }: {
    readonly createStore: (now: () => number) => Store;
    readonly now: () => number;
    /** Whether there is a standby, which costs memory. */
    readonly hasStandby: boolean;
  }) {
    this.#createStore = createStore;
    this.#now = now;
    this.#standby = hasStandby ? new Standby() : undefined;
    this.store = this.#openStore();
  }

  /** Ids of all tasks that were created. */
  get taskIds(): readonly string[] {
    return Array.from(this.#heads.keys());
  }

  stateOf(taskId: string): TaskState | undefined {
    return this.#heads.get(taskId)?.state;
  }

  /** The states of the tasks under a node that have not ended. */
  statesOf(node: string): readonly TaskState[] {
    const held = Array.from(this.#holds.get(node) ?? []);
    return held.flatMap((taskId) => this.#heads.get(taskId)?.state ?? []);
  }

  readonly writtenTo = (taskId: string): readonly Written[] => this.#written.get(taskId) ?? [];

  /** A task that was deleted because it had ended long ago, as it was. */
  deleted(taskId: string): WholeTask | undefined {
    return this.#archive.find(taskId);
  }

  /** Lets the store do something. `deleted` gets the ids of tasks that it deletes. */
  async work(
    method: string,
    args: readonly unknown[],
    deleted: (taskId: string) => void,
  ): Promise<unknown> {
    const { store } = this;
    const found: unknown = Reflect.get(store, method);
    if (typeof found !== "function") throw new Error(`a store has no method ${method}`);
    if (method !== "deleteEnded") return Reflect.apply(found, store, args);
    let result: unknown;
    const ids = await this.#archive.around(async () => {
      result = await Reflect.apply(found, store, args);
    });
    for (const taskId of ids) deleted(taskId);
    return result;
  }

  /** A number that differs from the one before if others have written since, or a request of this life has failed. */
  foreignVersion(life: Life): number {
    return this.#writes - (this.#writesBy.get(life) ?? 0) + life.failures;
  }

  /** The store has done what a node asked for. Says what is wrong with that, if anything is. */
  note(deed: Omit<Deed, "at">): string | undefined {
    if (!reads.has(deed.method)) {
      this.#writes += 1;
      this.#writesBy.set(deed.life, (this.#writesBy.get(deed.life) ?? 0) + 1);
    }
    if (!this.hasForgotten) this.#standby?.follow({ ...deed, at: this.#now() });
    return this.#learn(deed);
  }

  /** An operator asks a node to hand over its tasks, or takes that back, which no failover undoes. */
  setDraining(node: string, isDraining: boolean): void {
    this.#draining.set(node, isDraining);
    this.#writes += 1;
    void this.store.setDraining(node, isDraining);
  }

  /**
   * The standby takes over, without what happened in the last milliseconds. Done when the microtasks of this step are.
   * Nothing happens when there is no standby that has everything else.
   */
  async failOver(lostMs: number): Promise<void> {
    if (this.#standby === undefined || this.hasForgotten) return;
    const { kept, lost } = this.#standby.cut(this.#now() - lostMs);
    for (const deed of lost) {
      const isClaim = deed.method === "claim" || deed.method === "claimAbandoned";
      for (const taskId of tasksOf(deed)) {
        this.lost.add(taskId);
        if (isClaim) this.lostClaims.add(taskId);
      }
    }
    this.#clear();
    this.#writes += 1;
    this.store = this.#openStore();
    for (const deed of kept) {
      this.#repeatedAt = deed.at;
      const work: unknown = Reflect.get(this.store, deed.method);
      if (typeof work === "function") await Reflect.apply(work, this.store, deed.args);
      this.#learn(deed);
    }
    this.#repeatedAt = undefined;
    await this.#archive.compare();
    for (const [node, isDraining] of this.#draining) void this.store.setDraining(node, isDraining);
  }

  #openStore(): Store {
    return this.#createStore(() => this.#repeatedAt ?? this.#now());
  }

  #learn({ life, method, args, result }: Omit<Deed, "at">): string | undefined {
    const [first] = args;
    if (method === "append") {
      return this.#appended(first as Append, (result as Appended).sequence, life);
    }
    if (method === "claim" && typeof result === "number") {
      this.#claimed((first as { taskId: string }).taskId, life.nodeId, result);
    } else if (method === "claimAbandoned") {
      for (const { taskId, epoch } of result as readonly ClaimedTask[]) {
        this.#claimed(taskId, life.nodeId, epoch);
      }
    }
    return undefined;
  }

  /** An append was committed. Says what is wrong with it, if anything is. */
  #appended(append: Append, sequence: number, life: Life): string | undefined {
    const { taskId, status, epoch, events, node } = append;
    const known = this.#heads.get(taskId);
    if (known === undefined && append.create === undefined) return undefined;
    const head = known ?? { state: "TASK_STATE_SUBMITTED", epoch, node: undefined };
    if (known === undefined) {
      this.#heads.set(taskId, head);
      this.active += 1;
    }
    if (status !== undefined) {
      this.active += Number(isSettled(head.state)) - Number(isSettled(status.state));
      head.state = status.state;
      if (isTerminal(status.state)) this.#archive.add(taskId);
    }
    if (node !== undefined) this.#move(taskId, head, node);
    const written = this.#written.get(taskId) ?? [];
    this.#written.set(taskId, written);
    const isAtEnd = append.expectedSequence === undefined || events.every(isOfCaller);
    const from = sequence - events.length + 1;
    written.push({ from, to: sequence, epoch, writer: life.name, isAtEnd });
    if (append.expectedSequence === undefined || epoch >= head.epoch) return undefined;
    return `${life.name} wrote entry ${sequence} of ${taskId} under epoch ${epoch}, after a claim of epoch ${head.epoch}`;
  }

  #claimed(taskId: string, node: string, epoch: number): void {
    const head = this.#heads.get(taskId);
    if (head === undefined) return;
    head.epoch = Math.max(head.epoch, epoch);
    this.#move(taskId, head, node);
  }

  /** Deletes what has ended, and looks at none of the tasks any more. */
  async forget(): Promise<void> {
    this.hasForgotten = true;
    this.#clear();
    this.#standby?.clear();
    this.lost.clear();
    this.lostClaims.clear();
    this.#archive.clear();
    await this.store.deleteEnded(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  }

  #clear(): void {
    this.#heads.clear();
    this.#written.clear();
    this.#holds.clear();
    this.active = 0;
  }

  #move(taskId: string, head: Head, node: string | null): void {
    if (typeof head.node === "string") this.#holds.get(head.node)?.delete(taskId);
    head.node = node;
    if (node === null) return;
    const held = this.#holds.get(node) ?? new Set();
    this.#holds.set(node, held.add(taskId));
  }
}

/** What a caller's message or cancel writes, whoever holds the task. */
function isOfCaller(event: LogEvent): boolean {
  if (event.kind === "status-changed") return event.status.state === "TASK_STATE_WORKING";
  return event.kind === "message-added" || event.kind === "cancel-requested";
}
