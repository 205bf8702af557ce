import { atTurnsEnd } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { Batch, Call, Failure, Reply } from "./operations.js";

interface Pending {
  readonly call: Call;
  readonly bytes: number;
  readonly isRead: boolean;
  resolve(result: unknown): void;
  reject(error: A2AError): void;
}

export interface BatchQueueOptions {
  /** Sends a batch. Its replies come back through `settle`. */
  readonly send: (batch: Batch) => void;
  /** The error for the caller of an operation of roughly so many bytes. */
  readonly toError: (failure: Failure, bytes: number) => A2AError;
  /** How many operations, and roughly how many bytes, go into one batch at most. */
  readonly maxOperations: number;
  readonly maxBytes: number;
  /** Called with true when the queue gets work, and with false when all of it is done. */
  readonly onBusy?: (isBusy: boolean) => void;
}

/**
 * Group commit: operations that arrive while a batch is under way go into the next one together, so the busier the
 * store, the more of them share a commit. One batch is under way at a time; its limits keep the operations behind
 * it from waiting long.
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

  /** Adds an operation of roughly this many bytes and returns its result. */
  add(call: Call, isRead: boolean, bytes: number): Promise<unknown> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    return new Promise((resolve, reject) => {
      this.#pending.push({ call, isRead, bytes, resolve, reject });
      this.#schedule();
    });
  }

  /** Settles the reads or the writes of the batch under way. */
  settle({ of, results, failed }: Reply): void {
    const settled = of === "reads" ? this.#reads : this.#writes;
    if (of === "reads") this.#reads = [];
    else this.#writes = [];
    const failures = new Set(failed);
    for (const [index, pending] of settled.entries()) {
      const result = results[index];
      if (failures.has(index))
        pending.reject(this.#options.toError(result as Failure, pending.bytes));
      else pending.resolve(result);
    }
    this.#schedule();
  }

  /** Refuses further operations. Those that were added before are still done. */
  seal(refusal: A2AError): void {
    this.#refusal ??= refusal;
  }

  /** Rejects all operations: pending ones, those under way and further ones. */
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
   * Sends the next batch at the end of this turn of the event loop, so that all operations of one turn share it:
   * those of callers that have just got a result and go on, and those of requests that arrived together.
   */
  #schedule(): void {
    this.#setBusy(this.#pending.length + this.#reads.length + this.#writes.length > 0);
    const isUnderWay = this.#reads.length + this.#writes.length > 0;
    if (isUnderWay || this.#isScheduled || this.#pending.length === 0) return;
    this.#isScheduled = true;
    atTurnsEnd(() => {
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
      // An operation holds a value that cannot be cloned. The batch fails; the queue goes on.
      this.#reads = [];
      this.#writes = [];
      const error = new A2AError(
        "INTERNAL",
        "an operation holds a value that cannot be sent to the store's thread",
        {
          cause,
        },
      );
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
