import { A2AError } from "../../protocol/internal.js";
import { Pool } from "./pool.js";
import { RunSlot } from "./run-slot.js";
import { unknownCallers } from "./share.js";

export interface RunLimits {
  /**
   * How many runs with a task work at the same time on this node. The last tenth of them are for callers that have none
   * at work. Default: 1,000; `serve` takes one for every 4 MiB that the heap may have.
   */
  readonly maxConcurrentRuns: number;
  /**
   * How many runs that have no task yet, and may answer with a direct reply, work at the same time besides those.
   * The last tenth of them are for callers that have none at work. Default: as many as `maxConcurrentRuns`.
   */
  readonly maxConcurrentReplies?: number;
  /** How many runs may wait for a slot. Further calls are refused with `RESOURCE_EXHAUSTED`. Default: 10,000. */
  readonly maxQueuedRuns: number;
  /**
   * How many of the working runs, with and without a task each, may be one caller's; its other runs wait. A caller is a
   * principal; one that is anonymous, an address. Absent: a quarter of all, and no limit where addresses are not
   * known.
   */
  readonly maxConcurrentRunsPerPrincipal?: number;
  /** How many of the waiting runs may be one caller's. Absent: a tenth, and no limit where addresses are not known. */
  readonly maxQueuedRunsPerPrincipal?: number;
}

/** How many runs work and wait on a node. */
export interface RunFigures {
  /** Runs with a task at work, and how many may be. */
  readonly tasks: { readonly working: number; readonly limit: number };
  /** Runs without a task at work, and how many may be. */
  readonly replies: { readonly working: number; readonly limit: number };
  /** Runs that wait for a slot. */
  readonly waiting: number;
}

/**
 * Limits how many runs work and how many wait: those with a task, and apart from them those that have none yet, so that
 * short questions are answered however many tasks are at work.
 */
export class RunSlots {
  readonly tasks: Pool;
  readonly #replies: Pool;
  readonly #maxQueued: number;
  readonly #maxQueuedOf: (share: string) => number;

  constructor(limits: RunLimits) {
    const { maxConcurrentRuns, maxConcurrentReplies = maxConcurrentRuns } = limits;
    const poolOf = (limit: number): Pool =>
      new Pool({ limit, mostOf: partOf(limit, 4, limits.maxConcurrentRunsPerPrincipal) });
    this.tasks = poolOf(maxConcurrentRuns);
    this.#replies = poolOf(maxConcurrentReplies);
    this.#maxQueued = limits.maxQueuedRuns;
    this.#maxQueuedOf = partOf(limits.maxQueuedRuns, 10, limits.maxQueuedRunsPerPrincipal);
  }

  get figures(): RunFigures {
    const { tasks, replies } = { tasks: this.tasks, replies: this.#replies };
    return {
      tasks: { working: tasks.busy, limit: tasks.limit },
      replies: { working: replies.busy, limit: replies.limit },
      waiting: this.#waiting,
    };
  }

  /** True when a further message would be refused, whichever caller's it is. */
  get refusesAll(): boolean {
    return this.#waiting >= this.#maxQueued && this.#replies.busy >= this.#replies.limit;
  }

  /** True when further runs have to wait, save those of callers that have none at work. */
  get isSaturated(): boolean {
    return this.tasks.isSaturated || this.#replies.isSaturated;
  }

  /** True when as many runs wait as may, so that no further tasks should be taken over. */
  get isFull(): boolean {
    const waiting = this.#waiting;
    return waiting >= this.#maxQueued && (waiting > 0 || this.tasks.busy >= this.tasks.limit);
  }

  /** Takes a slot or a place in the queue. Throws `RESOURCE_EXHAUSTED` when there is neither. */
  reserve(share: string, kind: "task" | "reply"): RunSlot {
    const pool = kind === "task" ? this.tasks : this.#replies;
    if (!pool.hasRoom(share)) this.#checkQueue(pool, share);
    return new RunSlot(this, pool, share);
  }

  /** Takes a task slot, or a place in the queue, for a run that was accepted before. Never refuses. */
  enqueue(share: string): RunSlot {
    return new RunSlot(this, this.tasks, share);
  }

  mayPause(share: string): boolean {
    return this.#waiting <= this.#maxQueued && !this.tasks.isLong(share);
  }

  get #waiting(): number {
    return this.tasks.waiting + this.#replies.waiting;
  }

  #waitingOf(share: string): number {
    return this.tasks.countOf(share).waiting + this.#replies.countOf(share).waiting;
  }

  #checkQueue(pool: Pool, share: string): void {
    if (this.#waiting >= this.#maxQueued) {
      throw exhausted(`${pool.busy} runs are at work and ${this.#waiting} wait`);
    }
    const waiting = this.#waitingOf(share);
    if (waiting < this.#maxQueuedOf(share)) return;
    throw exhausted(`${pool.countOf(share).busy} of your runs are at work and ${waiting} wait`);
  }
}

/** How much of something one caller may have: what the operator says, else a part of all. */
function partOf(all: number, parts: number, given: number | undefined): (share: string) => number {
  const part = given ?? Math.ceil(all / parts);
  return (share) => (share === unknownCallers ? (given ?? all) : part);
}

/** A run has waited for as long as runs may. */
export function waitedTooLong(waitMs: number): A2AError {
  const found = `this call has waited ${waitMs / 1000} s for its turn`;
  return new A2AError("RESOURCE_EXHAUSTED", `${found}; try again later`, {
    details: { retryAfterSeconds: 5 },
  });
}

function exhausted(found: string): A2AError {
  return new A2AError("RESOURCE_EXHAUSTED", `${found}; try again later`, {
    details: { retryAfterSeconds: 1 },
  });
}
