import type { TaskState } from "@parley/a2a";
import type { LogIndex } from "../log/log-index.js";
import { lastIndexWhere } from "../log/search.js";

/** A stretch of the axis in which the state stays the same. Places are shares of the width, from 0 to 1. */
export interface Band {
  readonly from: number;
  readonly to: number;
  readonly state: TaskState;
  readonly fromPosition: number;
  readonly toPosition: number;
}

/** A stretch without entries that is drawn shorter than it was. */
export interface IdleStretch {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
  /** The entry after it. */
  readonly position: number;
}

const idleMs = 10_000;
/** What folded stretches take of the width, each and together at most. */
const idleShare = 0.14;
const idleShareAtMost = 0.4;
/** How much of the rest goes by time; what remains goes by the number of entries, so that bursts have a width, too. */
const timeShare = 0.6;

/**
 * The axis of a timeline: where each entry stands, with idle stretches folded. It keeps running sums, so that adding an
 * entry, finding the place of one and finding the entry at a place cost the same in a log of any length.
 */
export class Axis {
  readonly #index: LogIndex;
  /** For each entry: the time before it without idle stretches, and how many of these came before it. */
  readonly #active: number[] = [];
  readonly #idles: number[] = [];
  readonly #idleAt: number[] = [];

  constructor(index: LogIndex) {
    this.#index = index;
    this.sync();
  }

  /** Takes up entries that the log has got since. */
  sync(): void {
    for (let position = this.#active.length; position < this.#index.length; position += 1) {
      const gap =
        position === 0
          ? 0
          : Math.max(0, this.#index.timeAt(position) - this.#index.timeAt(position - 1));
      const isIdle = gap > idleMs;
      if (isIdle) this.#idleAt.push(position);
      this.#active.push((this.#active[position - 1] ?? 0) + (isIdle ? 0 : gap));
      this.#idles.push((this.#idles[position - 1] ?? 0) + (isIdle ? 1 : 0));
    }
  }

  /** The place of an entry, from 0 to 1. */
  placeOf(position: number): number {
    const last = this.#active.length - 1;
    if (last <= 0) return 0;
    const at = Math.max(0, Math.min(position, last));
    const idles = this.#idles[last] ?? 0;
    const idle = Math.min(idles * idleShare, idleShareAtMost);
    const active = this.#active[last] ?? 0;
    const byTime = active > 0 ? timeShare : 0;
    const share =
      (active > 0 ? (byTime * (this.#active[at] ?? 0)) / active : 0) + ((1 - byTime) * at) / last;
    return share * (1 - idle) + (idles > 0 ? (idle * (this.#idles[at] ?? 0)) / idles : 0);
  }

  /** The entry nearest to a place. */
  positionAt(place: number): number {
    const count = this.#active.length;
    const before = Math.max(
      0,
      lastIndexWhere(count, (position) => this.placeOf(position) <= place),
    );
    const after = Math.min(before + 1, count - 1);
    return place - this.placeOf(before) <= this.placeOf(after) - place ? before : after;
  }

  /** The states along the axis, at most so many: where there are more, short ones are left to those before them. */
  bands(limit: number = 400): Band[] {
    const last = this.#active.length - 1;
    if (last < 0) return [];
    const { changes } = this.#index;
    const step = Math.max(1, Math.ceil(changes.length / limit));
    const bands: Band[] = [];
    for (let index = 0; index < changes.length; index += step) {
      const fromPosition = changes[index] ?? 0;
      const toPosition = changes[index + step] ?? last;
      bands.push({
        from: this.placeOf(fromPosition),
        to: index + step < changes.length ? this.placeOf(toPosition) : 1,
        state: this.#index.stateAt(fromPosition),
        fromPosition,
        toPosition,
      });
    }
    return bands;
  }

  /** The folded stretches, the longest ones first, at most so many. */
  idles(limit: number = 8): IdleStretch[] {
    return this.#idleAt
      .map((position) => ({
        position,
        ms: this.#index.timeAt(position) - this.#index.timeAt(position - 1),
      }))
      .sort((one, other) => other.ms - one.ms)
      .slice(0, limit)
      .map(({ position, ms }) => ({
        from: this.placeOf(position - 1),
        to: this.placeOf(position),
        ms,
        position,
      }));
  }
}
