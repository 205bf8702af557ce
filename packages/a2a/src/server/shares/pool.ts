/** A run that waits for a slot. */
export interface Waiting {
  /** The run has a slot now. */
  granted(line: Line): void;
}

/** The runs of one caller in a pool. */
export interface Line {
  readonly pool: Pool;
  readonly share: string;
  /** How many of them may be at work. */
  readonly most: number;
  busy: number;
  /** Its runs that wait. Most callers never have any. */
  waiting: Set<Waiting>;
}

const nobody: Set<Waiting> = new Set();

interface PoolLimits {
  /** How many slots there are. */
  readonly limit: number;
  /** How many slots one caller may have. */
  readonly mostOf: (share: string) => number;
}

/** One of so many slots goes only to callers with nothing at work. */
const reservedPart = 10;

/**
 * Slots for runs. The last tenth of them goes only to callers that have no run at work here. A slot that becomes free
 * goes to such a caller first, then to the others in rotation, one run each.
 */
export class Pool {
  readonly limit: number;
  /** How many slots there are for callers that have runs at work here. */
  readonly #shared: number;
  readonly #mostOf: (share: string) => number;
  /** Callers that have a run at work or waiting. */
  readonly #lines = new Map<string, Line>();
  /** Callers that have a run waiting and none at work, in the order of their turns. */
  readonly #newcomers = new Set<Line>();
  /** Callers that have a run waiting, some at work, and may have more, in the order of their turns. */
  readonly #others = new Set<Line>();
  #busy = 0;
  #waiting = 0;

  constructor({ limit, mostOf }: PoolLimits) {
    this.limit = limit;
    this.#shared = limit - Math.floor(limit / reservedPart);
    this.#mostOf = mostOf;
  }

  /** How many runs are at work. */
  get busy(): number {
    return this.#busy;
  }

  /** How many runs wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** True when a further run waits, at least that of a caller with runs at work. */
  get isSaturated(): boolean {
    return this.#busy >= this.#shared;
  }

  /**
   * How many more runs get a slot at once: of callers that have none at work if only their tenth is left, else of callers
   * that are not `crowded`.
   */
  get free(): number {
    return (this.isSaturated ? this.limit : this.#shared) - this.#busy;
  }

  /** Callers whose further runs wait. */
  get crowded(): string[] {
    return [...this.#lines.keys()].filter((share) => !this.hasRoom(share));
  }

  /** How many runs of a caller are at work, and how many wait. */
  countOf(share: string): { readonly busy: number; readonly waiting: number } {
    const line = this.#lines.get(share);
    return { busy: line?.busy ?? 0, waiting: line?.waiting.size ?? 0 };
  }

  /** True when more runs wait than may work, of all callers or of this one. */
  isLong(share: string): boolean {
    const line = this.#lines.get(share);
    return this.#waiting > this.limit || (line !== undefined && line.waiting.size > line.most);
  }

  /** True when a run of this caller gets a slot at once. Nobody waits for that slot then. */
  hasRoom(share: string): boolean {
    if (this.#busy >= this.limit) return false;
    const line = this.#lines.get(share);
    if (line === undefined || line.busy === 0) return true;
    return line.busy < line.most && this.#busy < this.#shared;
  }

  /** Takes a slot. Only when there is room. */
  take(share: string): Line {
    const line = this.#lineOf(share);
    this.#busy += 1;
    line.busy += 1;
    return line;
  }

  /** Puts a run into the queue. Only when there is no room. */
  wait(share: string, run: Waiting): Line {
    const line = this.#lineOf(share);
    this.#waiting += 1;
    if (line.waiting === nobody) line.waiting = new Set();
    line.waiting.add(run);
    this.#place(line);
    return line;
  }

  /** Takes a run out of the queue. */
  forget(line: Line, run: Waiting): void {
    if (!line.waiting.delete(run)) return;
    this.#waiting -= 1;
    this.#place(line);
    this.#tidy(line);
  }

  /** A slot is free again: the next run begins. */
  leave(line: Line): void {
    this.#busy -= 1;
    line.busy -= 1;
    if (this.#waiting > 0) this.#beginNext(line);
    this.#tidy(line);
  }

  #beginNext(left: Line): void {
    this.#place(left);
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#begin(next);
  }

  #next(): Line | undefined {
    if (this.#busy >= this.limit) return undefined;
    const [newcomer] = this.#newcomers;
    if (newcomer !== undefined || this.#busy >= this.#shared) return newcomer;
    const [other] = this.#others;
    return other;
  }

  #begin(line: Line): void {
    const [run] = line.waiting;
    if (run === undefined) return;
    line.waiting.delete(run);
    this.#waiting -= 1;
    this.#busy += 1;
    line.busy += 1;
    // Its next turn comes after those of all others.
    this.#newcomers.delete(line);
    this.#others.delete(line);
    this.#place(line);
    run.granted(line);
  }

  /** Puts a caller among those to whom it belongs by now. It keeps its turn where it is there already. */
  #place(line: Line): void {
    const isNew = line.busy === 0;
    const mayBegin = line.waiting.size > 0 && line.busy < line.most;
    if (mayBegin && isNew) this.#newcomers.add(line);
    else this.#newcomers.delete(line);
    if (mayBegin && !isNew) this.#others.add(line);
    else this.#others.delete(line);
  }

  #lineOf(share: string): Line {
    let line = this.#lines.get(share);
    if (line === undefined) {
      line = { pool: this, share, most: this.#mostOf(share), busy: 0, waiting: nobody };
      this.#lines.set(share, line);
    }
    return line;
  }

  #tidy(line: Line): void {
    if (line.busy === 0 && line.waiting.size === 0) this.#lines.delete(line.share);
  }
}
