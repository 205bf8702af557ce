import type { BusTopic } from "../bus.js";

/** What one message to the other processes holds. */
export interface Batch {
  /** The highest sequence of each task. */
  readonly wakeUps: ReadonlyMap<string, number>;
  readonly told: readonly Told[];
  /** Whether wake-ups before this batch were dropped: whoever hears it has to look at everything it follows. */
  readonly hasGap: boolean;
}

export interface Told {
  readonly topic: BusTopic;
  readonly message: string;
}

/** More than this many tasks, or messages, are not kept while nothing can be sent. */
const maxKept = 4096;

/** What one batch may take as text. PostgreSQL takes 7,999 bytes. */
const maxBytes = 7800;

/** A key has 16 characters, a sequence 16 at most. */
const bytesOfWakeUp = 34;

/**
 * What waits to be sent. The highest sequence of a task stands for all before it, and a message for all that are equal to it.
 * What exceeds the bound is dropped, oldest first, and the next batch says so.
 */
export class Outbox {
  readonly #wakeUps = new Map<string, number>();
  readonly #told = new Map<string, Told>();
  #hasGap = false;

  get isEmpty(): boolean {
    return this.#wakeUps.size === 0 && this.#told.size === 0 && !this.#hasGap;
  }

  add(taskId: string, sequence: number): void {
    const known = this.#wakeUps.get(taskId);
    if (known !== undefined && known >= sequence) return;
    this.#wakeUps.set(taskId, sequence);
    if (this.#wakeUps.size <= maxKept) return;
    dropFirst(this.#wakeUps);
    this.#hasGap = true;
  }

  tell(told: Told): void {
    this.#told.set(`${told.topic} ${told.message}`, told);
    if (this.#told.size > maxKept) dropFirst(this.#told);
  }

  /** Takes out what fits into one message. */
  take(): Batch {
    const hasGap = this.#hasGap;
    this.#hasGap = false;
    let bytes = 0;
    const told: Told[] = [];
    for (const [name, one] of this.#told) {
      bytes += bytesOf(one);
      if (bytes > maxBytes && told.length > 0) break;
      told.push(one);
      this.#told.delete(name);
    }
    const wakeUps = new Map<string, number>();
    for (const [taskId, sequence] of this.#wakeUps) {
      bytes += bytesOfWakeUp;
      if (bytes > maxBytes) break;
      wakeUps.set(taskId, sequence);
      this.#wakeUps.delete(taskId);
    }
    return { wakeUps, told, hasGap };
  }

  /** Takes back what could not be sent. */
  putBack({ wakeUps, told, hasGap }: Batch): void {
    for (const [taskId, sequence] of wakeUps) this.add(taskId, sequence);
    for (const one of told) this.tell(one);
    this.#hasGap ||= hasGap;
  }
}

/** A character takes up to six bytes as JSON. */
function bytesOf({ topic, message }: Told): number {
  return topic.length + 6 * message.length + 4;
}

function dropFirst(map: Map<string, unknown>): void {
  for (const first of map.keys()) {
    map.delete(first);
    return;
  }
}
