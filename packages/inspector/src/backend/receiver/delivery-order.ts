import type { Delivery } from "../../contract/index.js";

/** How many tasks are remembered, and how many numbers of each. */
const maxTasks = 1000;
const maxNumbers = 10_000;

/** Tells whether notifications of a task come in order. Numbers are places in the task's log, so they rise in steps. */
export class DeliveryOrder {
  readonly #tasks = new Map<string, { readonly seen: Set<number>; latest: number }>();

  place(taskId: string | undefined, sequence: number | undefined): Delivery["order"] {
    if (taskId === undefined || sequence === undefined) return undefined;
    let task = this.#tasks.get(taskId);
    if (task === undefined) {
      const [oldest] = this.#tasks.keys();
      if (this.#tasks.size >= maxTasks && oldest !== undefined) this.#tasks.delete(oldest);
      task = { seen: new Set(), latest: 0 };
      this.#tasks.set(taskId, task);
    }
    if (task.seen.has(sequence)) return "repeat";
    if (task.seen.size < maxNumbers) task.seen.add(sequence);
    if (sequence < task.latest) return "gap";
    task.latest = sequence;
    return "next";
  }
}
