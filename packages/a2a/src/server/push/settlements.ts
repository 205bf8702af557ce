import type { PushQueue, QueueSettlement, Store } from "../../store/internal.js";

/** Tells the store what became of a queue's deliveries, while the next one is under way. */
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

  /** Begins to save what arrived. Never throws; a failure shows at the end. */
  save(): void {
    if (this.#arrived.length === 0 || this.#saving !== undefined) return;
    this.#saving = this.#saveAll();
    this.#saving.catch(() => undefined);
  }

  /** Saves all that is left, together with how the claim ends. */
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
