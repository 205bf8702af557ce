import { createDeferred } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";

export interface RunLimits {
  /** How many runs work at the same time on this node. Default: 1,000. */
  readonly maxConcurrentRuns: number;
  /** How many runs may wait for a slot. Further calls are refused with `RESOURCE_EXHAUSTED`. Default: 10,000. */
  readonly maxQueuedRuns: number;
  /**
   * How many of the working runs may be one caller's; its other runs wait. Absent: a quarter of all with
   * `hasAuthentication`, else no limit.
   */
  readonly maxConcurrentRunsPerPrincipal?: number;
  /** How many of the waiting runs may be one caller's. Absent: a tenth with `hasAuthentication`, else no limit. */
  readonly maxQueuedRunsPerPrincipal?: number;
}

/** A run's place among the working runs, or in the queue for one. */
export interface RunSlot {
  /** Resolves when the run may begin; absent when it may begin at once. */
  readonly turn?: Promise<void>;
  release(): void;
}

/** The runs of one caller over all tenants, because a caller can name any number of tenants. */
interface Line {
  busy: number;
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many runs work and how many wait. A free slot goes to the callers in rotation, one run each, so that
 * a caller with many runs does not hold up the others.
 */
export class RunSlots {
  readonly #limits: Required<RunLimits>;
  /** Callers that have a run at work or waiting. */
  readonly #lines = new Map<string, Line>();
  /** Callers that have a run waiting and may begin one, in the order of their turns. */
  readonly #rotation = new Map<string, Line>();
  #busy = 0;
  #queued = 0;

  constructor(limits: RunLimits & { readonly hasAuthentication?: boolean }) {
    const { maxConcurrentRuns, maxQueuedRuns, hasAuthentication = false } = limits;
    const share = (of: number, parts: number): number =>
      hasAuthentication ? Math.ceil(of / parts) : of;
    this.#limits = {
      maxConcurrentRuns,
      maxQueuedRuns,
      maxConcurrentRunsPerPrincipal:
        limits.maxConcurrentRunsPerPrincipal ?? share(maxConcurrentRuns, 4),
      maxQueuedRunsPerPrincipal: limits.maxQueuedRunsPerPrincipal ?? share(maxQueuedRuns, 10),
    };
  }

  /** True when a further run would be refused, whichever caller's it is. */
  get isFull(): boolean {
    const { maxConcurrentRuns, maxQueuedRuns } = this.#limits;
    return this.#busy >= maxConcurrentRuns && this.#queued >= maxQueuedRuns;
  }

  /** Takes a slot or a place in the queue. Throws `RESOURCE_EXHAUSTED` when there is neither. */
  reserve(owner: Owner): RunSlot {
    const { maxConcurrentRuns, maxQueuedRuns, maxQueuedRunsPerPrincipal } = this.#limits;
    const line = this.#lines.get(owner.subject);
    const hasToWait = this.#busy >= maxConcurrentRuns || this.#isAtLimit(line);
    if (!hasToWait) return this.enqueue(owner);
    if (this.#queued >= maxQueuedRuns) {
      throw exhausted(`${this.#busy} runs are at work and ${maxQueuedRuns} wait`);
    }
    const waiting = line?.waiting.size ?? 0;
    if (waiting >= maxQueuedRunsPerPrincipal) {
      throw exhausted(`${line?.busy ?? 0} of your runs are at work and ${waiting} wait`);
    }
    return this.enqueue(owner);
  }

  /** Takes a slot, or a place in the queue, for a run that was accepted before. Never refuses. */
  enqueue(owner: Owner): RunSlot {
    const key = owner.subject;
    let line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, (line = { busy: 0, waiting: new Set() }));
    const hasToWait = this.#busy >= this.#limits.maxConcurrentRuns || this.#isAtLimit(line);
    if (hasToWait) return this.#wait(key, line);
    this.#busy += 1;
    line.busy += 1;
    return this.#slot(key, line);
  }

  #wait(key: string, line: Line): RunSlot {
    const turn = createDeferred<void>();
    const begin = (): void => turn.resolve();
    this.#queued += 1;
    line.waiting.add(begin);
    if (!this.#isAtLimit(line)) this.#rotation.set(key, line);
    return { turn: turn.promise, ...this.#slot(key, line, begin) };
  }

  /** A slot whose release counts once. */
  #slot(key: string, line: Line, begin?: () => void): RunSlot {
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      if (begin !== undefined && line.waiting.delete(begin)) this.#queued -= 1;
      else this.#leave(key, line);
      if (line.waiting.size === 0) this.#rotation.delete(key);
      if (line.busy === 0 && line.waiting.size === 0) this.#lines.delete(key);
    };
    return { release };
  }

  #isAtLimit(line: Line | undefined): boolean {
    return line !== undefined && line.busy >= this.#limits.maxConcurrentRunsPerPrincipal;
  }

  /** A run of this caller has ended: its slot goes to the next in rotation. */
  #leave(key: string, line: Line): void {
    this.#busy -= 1;
    line.busy -= 1;
    if (line.waiting.size > 0) this.#rotation.set(key, line);
    const [next] = this.#rotation;
    if (next !== undefined) this.#beginOne(...next);
  }

  #beginOne(key: string, line: Line): void {
    this.#rotation.delete(key);
    const [begin] = line.waiting;
    if (begin === undefined) return;
    line.waiting.delete(begin);
    this.#queued -= 1;
    this.#busy += 1;
    line.busy += 1;
    if (line.waiting.size > 0 && !this.#isAtLimit(line)) this.#rotation.set(key, line);
    begin();
  }
}

function exhausted(found: string): A2AError {
  return new A2AError("RESOURCE_EXHAUSTED", `${found}; try again later`, {
    details: { retryAfterSeconds: 1 },
  });
}
