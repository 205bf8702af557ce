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

/** While the thread commits one batch, the next is there already, and this thread answers those of the one before. */
const maxUnderWay = 2;

/** So many operations are worth a commit of their own. */
const worthACommit = 8;

/** Operations that were sent together and are not settled. */
interface Sent {
  reads: readonly Pending[];
  writes: readonly Pending[];
}

/**
 * Group commit: operations that arrive while as many batches are under way as may be go into the next one together, so
 * the busier the store, the more of them share a commit. The limits of a batch keep the operations behind it from
 * waiting long.
 */
export class BatchQueue {
  readonly #options: BatchQueueOptions;
  readonly #pending: Pending[] = [];
  /** The batches under way. The thread replies to them in this order. */
  readonly #underWay: Sent[] = [];
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

  /** Settles the reads or the writes of the first batch under way. */
  settle({ of, results, failed }: Reply): void {
    const [first] = this.#underWay;
    if (first === undefined) return;
    const settled = first[of];
    first[of] = [];
    if (first.reads.length + first.writes.length === 0) this.#underWay.shift();
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
    const sent = this.#underWay.splice(0).flatMap(({ reads, writes }) => [...reads, ...writes]);
    const rejected = [...sent, ...this.#pending.splice(0)];
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
    this.#setBusy(this.#pending.length + this.#underWay.length > 0);
    if (this.#isScheduled || !this.#hasNext) return;
    this.#isScheduled = true;
    atTurnsEnd(() => {
      this.#isScheduled = false;
      // A thread with nothing to do gets many operations in two halves: while it works at the second, this thread
      // answers those of the first.
      const half = Math.ceil(this.#pending.length / 2);
      if (this.#underWay.length === 0 && half >= worthACommit) this.#sendNext(half);
      if (this.#hasNext) this.#sendNext(this.#options.maxOperations);
    });
  }

  /** Something waits that can be sent. */
  get #hasNext(): boolean {
    return this.#pending.length > 0 && this.#underWay.length < maxUnderWay;
  }

  #sendNext(most: number): void {
    const next = this.#takeNext(most);
    const reads = next.filter(({ isRead }) => isRead);
    const writes = next.filter(({ isRead }) => !isRead);
    const calls = (operations: readonly Pending[]): Call[] => operations.map(({ call }) => call);
    const sent = { reads, writes };
    this.#underWay.push(sent);
    try {
      this.#options.send({ reads: calls(reads), writes: calls(writes) });
    } catch (cause) {
      // An operation holds a value that cannot be cloned. The batch fails; the queue goes on.
      this.#underWay.splice(this.#underWay.indexOf(sent), 1);
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

  #takeNext(most: number): Pending[] {
    const { maxOperations, maxBytes } = this.#options;
    const limit = Math.min(most, maxOperations);
    let count = 0;
    let bytes = 0;
    for (const pending of this.#pending) {
      bytes += pending.bytes;
      if (count > 0 && (count === limit || bytes > maxBytes)) break;
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
