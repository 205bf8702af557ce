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
 * Sends the operations of each turn of the event loop to the thread together, and settles them when it replies. It does not
 * wait for the batches before: the thread finds the next one there when it has committed one.
 */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #pending: Pending[] = [];
  /** What is under way. The thread replies to the reads, and to the writes, in the order in which they were sent. */
  readonly #sent: Record<Reply["of"], Pending[]> = { reads: [], writes: [] };
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

  /** Settles the first of the reads or the writes under way. */
  settle({ of, results, failed }: Reply): void {
    const settled = this.#sent[of].splice(0, results.length);
    const failures = new Set(failed);
    for (const [index, pending] of settled.entries()) {
      const result = results[index];
      if (failures.has(index))
        pending.reject(this.#options.toError(result as Failure, pending.bytes));
      else pending.resolve(result);
    }
    this.#noteBusy();
  }

  /** Refuses further operations. Those that were added before are still done. */
  seal(refusal: A2AError): void {
    this.#refusal ??= refusal;
  }

  /** Rejects all operations: pending ones, those under way and further ones. */
  fail(error: A2AError): void {
    this.seal(error);
    const { reads, writes } = this.#sent;
    const rejected = [...reads.splice(0), ...writes.splice(0), ...this.#pending.splice(0)];
    for (const pending of rejected) pending.reject(error);
    this.#noteBusy();
  }

  /** Resolves once nothing is pending or under way. */
  async drain(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Sends what waits at the end of this turn of the event loop, so that all operations of one turn go together. */
  #schedule(): void {
    this.#noteBusy();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    atTurnsEnd(() => {
      this.#isScheduled = false;
      while (this.#pending.length > 0) this.#send(this.#takeNext());
      this.#noteBusy();
    });
  }

  #send(next: readonly Pending[]): void {
    const reads = next.filter(({ isRead }) => isRead);
    const writes = next.filter(({ isRead }) => !isRead);
    const calls = (operations: readonly Pending[]): Call[] => operations.map(({ call }) => call);
    const bytes = next.reduce((sum, pending) => sum + pending.bytes, 0);
    try {
      this.#options.send({ reads: calls(reads), writes: calls(writes), bytes });
    } catch (cause) {
      // An operation holds a value that cannot be cloned. The batch fails; the queue goes on.
      const error = new A2AError(
        "INTERNAL",
        "an operation holds a value that cannot be sent to the store's thread",
        {
          cause,
        },
      );
      for (const pending of next) pending.reject(error);
      return;
    }
    this.#sent.reads.push(...reads);
    this.#sent.writes.push(...writes);
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

  #noteBusy(): void {
    const { reads, writes } = this.#sent;
    const isBusy = this.#pending.length + reads.length + writes.length > 0;
    if (this.#isBusy === isBusy) return;
    this.#isBusy = isBusy;
    this.#options.onBusy?.(isBusy);
    if (!isBusy) for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
