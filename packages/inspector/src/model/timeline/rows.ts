import type { LogEntry } from "@parley/a2a/store";
import { isPrivate } from "../log/describe-entry.js";
import type { LogIndex } from "../log/log-index.js";
import { lastIndexWhere } from "../log/search.js";

/** A row of a timeline: an entry, chunks of an artifact as one, a chunk of an opened one, or a stretch without entries. */
export interface Row {
  readonly kind: "entry" | "chunks" | "chunk" | "idle";
  /** The position of its first entry; of an idle stretch, that of the entry after it. */
  readonly from: number;
  /** The position after its last entry; of an idle stretch, that of the entry after it. */
  readonly to: number;
}

export interface RowOptions {
  readonly showsPrivate: boolean;
  /** The oldest entry first, or the newest. */
  readonly order: "oldest" | "newest";
  /** A gap longer than this is a row of its own. */
  readonly idleMs: number;
}

export const defaultRowOptions: RowOptions = {
  showsPrivate: true,
  order: "oldest",
  idleMs: 10_000,
};

const rowKinds = ["entry", "chunks", "chunk", "idle"] as const;
const kindNumbers = { entry: 0, chunks: 1, chunk: 2, idle: 3 } as const;

/**
 * The rows of a log, in the order of its entries. `sync` adds rows for the entries that have come, at a cost that
 * depends on those alone. Where the newest row is shown first, the list shows these rows from the last to the first;
 * so a row of chunks then stands after its chunks.
 */
export class Rows {
  readonly options: RowOptions;
  readonly #index: LogIndex;
  /** The first positions of the groups of chunks that are open. */
  readonly #open: Set<number>;
  readonly #kinds: number[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  #synced = 0;
  #lastVisible = -1;

  constructor(index: LogIndex, options: RowOptions, open: Iterable<number> = []) {
    this.#index = index;
    this.options = options;
    this.#open = new Set(open);
    this.sync();
  }

  get length(): number {
    return this.#kinds.length;
  }

  get index(): LogIndex {
    return this.#index;
  }

  at(row: number): Row | undefined {
    const kind = rowKinds[this.#kinds[row] ?? -1];
    return kind && { kind, from: this.#from[row] ?? 0, to: this.#to[row] ?? 0 };
  }

  isOpen(from: number): boolean {
    return this.#open.has(from);
  }

  /** The first position of the group of chunks that a row is, or is one chunk of; `undefined` for other rows. */
  groupOf(row: number): number | undefined {
    const step = this.options.order === "newest" ? 1 : -1;
    let at = row;
    while (this.#kinds[at] === kindNumbers.chunk) at += step;
    return this.#kinds[at] === kindNumbers.chunks ? this.#from[at] : undefined;
  }

  /** The same rows with a group of chunks opened or closed. */
  toggled(from: number): Rows {
    const open = new Set(this.#open);
    if (!open.delete(from)) open.add(from);
    return new Rows(this.#index, this.options, open);
  }

  /** The same log under other options. */
  with(options: RowOptions): Rows {
    return new Rows(this.#index, options, this.#open);
  }

  /** Adds rows for entries that the log has got since. Returns how many entries were looked at. */
  sync(): number {
    const { entries } = this.#index;
    const begin = this.#synced;
    for (let position = begin; position < entries.length; position += 1) {
      const entry = entries[position] as LogEntry;
      if (!this.options.showsPrivate && isPrivate(entry.event)) continue;
      this.#add(position, entry);
      this.#lastVisible = position;
    }
    this.#synced = entries.length;
    return this.#synced - begin;
  }

  /** The row that shows a position, or the nearest visible one before it. */
  rowOf(position: number): number {
    if (this.options.order === "oldest") {
      return Math.max(
        0,
        lastIndexWhere(this.length, (row) => (this.#from[row] ?? 0) <= position),
      );
    }
    const row = lastIndexWhere(this.length, (one) => (this.#to[one] ?? 0) <= position) + 1;
    return Math.min(row, this.length - 1);
  }

  #add(position: number, entry: LogEntry): void {
    const last = this.#index.entries[this.#lastVisible];
    if (last !== undefined && this.#continues(entry, last)) {
      this.#grow(position);
      return;
    }
    if (last !== undefined && entry.at - last.at > this.options.idleMs) {
      this.#push("idle", position, position);
    }
    this.#push("entry", position, position + 1);
  }

  /** Whether an entry is a chunk of the artifact that the visible entry before it is a chunk of. */
  #continues({ event, at }: LogEntry, last: LogEntry): boolean {
    return (
      event.kind === "artifact-updated" &&
      event.append === true &&
      last.event.kind === "artifact-updated" &&
      last.event.artifact.artifactId === event.artifact.artifactId &&
      at - last.at <= this.options.idleMs
    );
  }

  /** Makes the last row one of several chunks, or longer if it is one. */
  #grow(position: number): void {
    const isNewest = this.options.order === "newest";
    const last = this.length - 1;
    const isGroup = this.#kinds[last] !== kindNumbers.entry;
    // The row of an open group stands before its chunks, and in the other order after them.
    let header = last;
    if (isGroup && !isNewest) while (this.#kinds[header] === kindNumbers.chunk) header -= 1;
    const from = this.#from[header] ?? position;
    if (!this.#open.has(from)) {
      this.#kinds[header] = kindNumbers.chunks;
      this.#to[header] = position + 1;
      return;
    }
    if (isNewest) {
      this.#pop();
      if (!isGroup) this.#push("chunk", from, from + 1);
      this.#push("chunk", position, position + 1);
      this.#push("chunks", from, position + 1);
      return;
    }
    if (!isGroup) {
      this.#kinds[header] = kindNumbers.chunks;
      this.#push("chunk", from, from + 1);
    }
    this.#to[header] = position + 1;
    this.#push("chunk", position, position + 1);
  }

  #push(kind: Row["kind"], from: number, to: number): void {
    this.#kinds.push(kindNumbers[kind]);
    this.#from.push(from);
    this.#to.push(to);
  }

  #pop(): void {
    this.#kinds.pop();
    this.#from.pop();
    this.#to.pop();
  }
}
