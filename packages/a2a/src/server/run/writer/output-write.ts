import { A2AError } from "../../../protocol/internal.js";
import type { LogEvent } from "../../../store/internal.js";
import type { Draft, Write } from "../../log/write.js";

/** Hears what becomes of outputs. */
export interface OutputOwner {
  /** The run may no longer write to its task. */
  readonly isLost: boolean;
  /** An output of so many bytes is committed. */
  wrote(bytes: number): void;
  /** An output could not be written. */
  fail(error: unknown): void;
}

/** The write of one output. It is its own draft, because there is one for every chunk of every stream. */
export class OutputWrite implements Write, Draft {
  readonly isOutput = true;
  /** The output is on its way to the store. */
  isTaken = false;
  readonly epoch: number;
  readonly events: readonly LogEvent[];
  readonly bytes: number;
  readonly #owner: OutputOwner;

  constructor(owner: OutputOwner, epoch: number, event: LogEvent, bytes: number) {
    this.#owner = owner;
    this.epoch = epoch;
    this.events = [event];
    this.bytes = bytes;
  }

  build(): Draft {
    if (this.#owner.isLost) refuseWrite();
    this.isTaken = true;
    return this;
  }

  resolve(): void {
    this.#owner.wrote(this.bytes);
  }

  reject(error: unknown): void {
    this.#owner.fail(error);
  }
}

/** Refuses a write after one that failed: it would leave a hole in the log. */
export function refuseWrite(): never {
  throw new A2AError("CONCURRENT_MODIFICATION", "this run is over; it cannot write any more");
}
