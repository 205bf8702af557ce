import type { TaskState } from "../../../protocol/internal.js";

/** How often each fault struck, or each operation met, a task in each state. `none`: no task was concerned. */
export class Coverage {
  readonly #counts = new Map<string, number>();

  add(what: string, state: TaskState | "none", count = 1): void {
    const key = `${what} ${state}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  merge(other: Coverage): void {
    for (const [key, count] of other.#counts) {
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
    }
  }

  /** By fault or operation, then by state. */
  table(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    const table: Record<string, Record<string, number>> = {};
    for (const key of Array.from(this.#counts.keys()).toSorted()) {
      const [what = "", state = ""] = key.split(" ");
      const counts = (table[what] ??= {});
      counts[state.replace("TASK_STATE_", "").toLowerCase()] = this.#counts.get(key) ?? 0;
    }
    return table;
  }
}
