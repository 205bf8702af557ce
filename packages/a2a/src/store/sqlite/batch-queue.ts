import { A2AError } from "../../protocol/internal.js";
import { fromFailure } from "./failure.js";
import type { Batch, Call, Failure, Reply } from "./operations.js";

interface Pending {
  readonly call: Call;
  readonly bytes: number;
  readonly isRead: boolean;
  resolve(result: unknown): void;
  reject(error: A2AError): void;
}

export interface BatchQueueOptions {
  /** Hands a batch over. Its replies come back through `settle`. */
  readonly send: (batch: Batch) => void;
  /** At most this many operations, and about this many bytes, go into one batch. */
  readonly maxOperations: number;
  readonly maxBytes: number;
  /** Called when there is something to do, and when there is nothing any more. */
  readonly onBusy?: (isBusy: boolean) => void;
}

/**
 * Group commit: operations that arrive while a batch is under way go into the next one together, so the
 * busier the store, the more of them share the cost of a commit. One batch is under way at a time; its
 * bounds keep those behind it from waiting long.
 */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  #pending: Pending[] = [];
  #reads: readonly Pending[] = [];
  #writes: readonly Pending[] = [];
  #isScheduled = false;
  #isBusy = false;
  #refusal: A2AError | undefined;
  readonly #waiting: (() => void)[] = [];

  constructor(options: BatchQueueOptions) {
    this.#options = options;
  }

  /** Adds an operation, of about so many bytes, and answers its result. */
  add(call: Call, isRead: boolean, bytes: number): Promise<unknown> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    return new Promise((resolve, reject) => {
      this.#pending.push({ call, isRead, bytes, resolve, reject });
      this.#schedule();
    });
  }

  /** Takes the answer to the reads or the writes of the batch under way. */
  settle({ of, results, failed }: Reply): void {
    const settled = of === "reads" ? this.#reads : this.#writes;
    if (of === "reads") this.#reads = [];
    else this.#writes = [];
    const failures = new Set(failed);
    for (const [index, pending] of settled.entries()) {
      const result = results[index];
      if (failures.has(index)) pending.reject(fromFailure(result as Failure));
      else pending.resolve(result);
    }
    this.#schedule();
  }

  /** Refuses what is added from now on; what was added before is still done. */
  seal(refusal: A2AError): void {
    this.#refusal ??= refusal;
  }

  /** Rejects everything, from now on too. */
  fail(error: A2AError): void {
    this.seal(error);
    const rejected = [...this.#reads, ...this.#writes, ...this.#pending];
    this.#reads = [];
    this.#writes = [];
    this.#pending = [];
    for (const pending of rejected) pending.reject(error);
    this.#schedule();
  }

  /** Resolves once nothing is pending or under way. */
  async drain(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Sends at the end of this turn of the event loop, not at once, so that all that one turn brings shares
   * a batch: those who were just answered and go on, and the requests that came in together.
   */
  #schedule(): void {
    this.#setBusy(this.#pending.length + this.#reads.length + this.#writes.length > 0);
    const isUnderWay = this.#reads.length + this.#writes.length > 0;
    if (isUnderWay || this.#isScheduled || this.#pending.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#reads.length + this.#writes.length === 0) this.#sendNext();
    });
  }

  #sendNext(): void {
    if (this.#pending.length === 0) return;
    const next = this.#takeNext();
    this.#reads = next.filter(({ isRead }) => isRead);
    this.#writes = next.filter(({ isRead }) => !isRead);
    const calls = (operations: readonly Pending[]): Call[] => operations.map(({ call }) => call);
    try {
      this.#options.send({ reads: calls(this.#reads), writes: calls(this.#writes) });
    } catch (cause) {
      // One of them holds what cannot be sent. They fail; the queue goes on.
      this.#reads = [];
      this.#writes = [];
      const error = new A2AError("INTERNAL", "the store was asked with what it cannot take", {
        cause,
      });
      for (const pending of next) pending.reject(error);
      this.#schedule();
    }
  }

  #takeNext(): Pending[] {
    const { maxOperations, maxBytes } = this.#options;
    let count = 0;
    let bytes = 0;
    for (const pending of this.#pending) {
      bytes += pending.bytes;
      if (count > 0 && (count === maxOperations || bytes > maxBytes)) break;
      count += 1;
    }
    return this.#pending.splice(0, count);
  }

  #setBusy(isBusy: boolean): void {
    if (this.#isBusy === isBusy) return;
    this.#isBusy = isBusy;
    this.#options.onBusy?.(isBusy);
    if (!isBusy) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
