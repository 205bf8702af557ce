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
  node: string | null | undefined;
}

/** The store that all nodes share, and what is known of its tasks without asking it. */
export class StoreHub {
  readonly store: Store;
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

  /** An append was committed. */
  appended(append: Append, sequence: number, life: Life): void {
    const { taskId, status, epoch, events, node } = append;
    const head = this.#heads.get(taskId) ?? { state: "TASK_STATE_SUBMITTED", node: undefined };
    this.#heads.set(taskId, head);
    if (status !== undefined) head.state = status.state;
    if (node !== undefined) this.#move(taskId, head, node);
    const written = this.#written.get(taskId) ?? [];
    this.#written.set(taskId, written);
    const isAtEnd = append.expectedSequence === undefined || events.every(isOfCaller);
    const from = sequence - events.length + 1;
    written.push({ from, to: sequence, epoch, writer: life.name, isAtEnd });
  }

  claimed(taskId: string, node: string): void {
    const head = this.#heads.get(taskId);
    if (head !== undefined) this.#move(taskId, head, node);
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
