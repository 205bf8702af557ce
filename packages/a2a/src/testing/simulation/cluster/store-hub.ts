import { isSettled } from "../../../protocol/internal.js";
import type { TaskState } from "../../../protocol/internal.js";
import type { Append, LogEvent, Store } from "../../../store/internal.js";
import type { FinalEntry } from "../../history/history.js";
import type { Life } from "./life.js";

/** Who wrote which entries of a log. */
export interface Written extends Pick<FinalEntry, "epoch" | "writer" | "isAtEnd"> {
  readonly from: number;
  readonly to: number;
}

interface Head {
  state: TaskState;
  /** The epoch of the last claim, as it was answered. */
  epoch: number;
  node: string | null | undefined;
}

/** The store that all nodes share, and what is known of its tasks without asking it. */
export class StoreHub {
  readonly store: Store;
  /** Some tasks of the store are not looked at. */
  hasForgotten = false;
  /** How many tasks have neither ended nor wait for their callers. */
  active = 0;
  readonly #heads = new Map<string, Head>();
  readonly #written = new Map<string, Written[]>();
  readonly #holds = new Map<string, Set<string>>();

  constructor(store: Store) {
    this.store = store;
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

  writtenTo(taskId: string): readonly Written[] {
    return this.#written.get(taskId) ?? [];
  }

  /** An append was committed. Says what is wrong with it, if anything is. */
  appended(append: Append, sequence: number, life: Life): string | undefined {
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

  claimed(taskId: string, node: string, epoch: number): void {
    const head = this.#heads.get(taskId);
    if (head === undefined) return;
    head.epoch = Math.max(head.epoch, epoch);
    this.#move(taskId, head, node);
  }

  /** Deletes what has ended, and looks at none of the tasks any more. */
  async forget(): Promise<void> {
    this.hasForgotten = true;
    this.#heads.clear();
    this.#written.clear();
    this.#holds.clear();
    this.active = 0;
    await this.store.deleteEnded(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
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
