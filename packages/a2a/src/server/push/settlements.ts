import type { PushQueue, QueueSettlement, Store } from "../../store/internal.js";

/** Saves the outcome of a queue's deliveries while the next delivery is under way. */
export class Settlements {
  readonly #store: Store;
  readonly #queue: PushQueue;
  #arrived: number[] = [];
  #saving: Promise<void> | undefined;

  constructor(store: Store, { taskId, configId }: PushQueue) {
    this.#store = store;
    this.#queue = { taskId, configId };
  }

  arrived(sequence: number): void {
    this.#arrived.push(sequence);
  }

  /** Begins to save what has arrived. Never throws; `end` rejects if saving fails. */
  save(): void {
    if (this.#arrived.length === 0 || this.#saving !== undefined) return;
    this.#saving = this.#saveAll();
    this.#saving.catch(() => undefined);
  }

  /** Saves the rest, together with how the claim ends. */
  async end(rest: Pick<QueueSettlement, "buried" | "release">): Promise<void> {
    await this.#saving;
    await this.#store.settleQueue({ ...this.#queue, arrived: this.#arrived, ...rest });
  }

  async #saveAll(): Promise<void> {
    while (this.#arrived.length > 0) {
      const arrived = this.#arrived;
      this.#arrived = [];
      await this.#store.settleQueue({ ...this.#queue, arrived });
    }
    this.#saving = undefined;
  }
}
