import { systemClock } from "../../../async/internal.js";
import type { Clock } from "../../../async/internal.js";
import { A2AError } from "../../../protocol/internal.js";
import { StoreFault } from "../../store-fault.js";
import type { FileFault } from "../operations.js";
import type { Probe } from "./probe-file.js";

export interface FaultWatchOptions {
  readonly path: string;
  /** Gets one error when the file cannot be used, and one when it can again. */
  readonly report: (notice: Error) => void;
  /** Resolves with the fault that there still is. */
  readonly probe: (probe: Probe) => Promise<FileFault | undefined>;
  readonly clock?: Clock;
}

const firstPauseMs = 1000;
const maxPauseMs = 30_000;

/** A fault that comes back this soon has never been over: it is not reported again. */
const calmMs = 60_000;

/**
 * Knows whether the file can be used. Reports a fault once, however many operations fail with it, and probes the file
 * until it can be used again.
 */
export class FaultWatch {
  readonly #options: FaultWatchOptions;
  readonly #clock: Clock;
  /** When each kind of fault was seen last, by what is wrong. */
  readonly #seen = new Map<string, number>();
  #fault: FileFault | undefined;
  #probe: Probe = { bytes: 0, reads: false };
  #isReported = false;
  #pauseMs = firstPauseMs;
  #stopWaiting: (() => void) | undefined;
  #isStopped = false;

  constructor(options: FaultWatchOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** What anybody may know of the fault; `undefined` while there is none. */
  get problem(): A2AError | undefined {
    const fault = this.#fault;
    return fault && new A2AError("UNAVAILABLE", `the store does not work: ${fault.what}`);
  }

  /** An operation of roughly so many bytes has failed. Returns the error for its caller. */
  failed(fault: FileFault, bytes: number): A2AError {
    const { what, isFull, isDamaged } = fault;
    const now = this.#clock.now();
    const last = this.#seen.get(what) ?? -Infinity;
    this.#seen.set(what, now);
    const line = describe(this.#options.path, fault);
    if (now - last >= calmMs) {
      this.#isReported = true;
      this.#pauseMs = firstPauseMs;
      this.#options.report(new StoreFault(line));
    }
    const known = this.#probe;
    this.#fault = fault;
    this.#probe = {
      bytes: Math.max(known.bytes, isFull ? bytes : 0),
      reads: known.reads || isDamaged,
    };
    if (!this.#isStopped) this.#wait();
    const message = "the store of this server does not work at present; try again later";
    return new A2AError("UNAVAILABLE", message, {
      cause: new StoreFault(line),
      details: { retryAfterSeconds: 5 },
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopWaiting?.();
  }

  #wait(): void {
    this.#stopWaiting ??= this.#clock.after(this.#pauseMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    this.#pauseMs = Math.min(2 * this.#pauseMs, maxPauseMs);
    const fault = await this.#options.probe(this.#probe);
    this.#stopWaiting = undefined;
    if (this.#isStopped) return;
    if (fault !== undefined) {
      this.failed(fault, 0);
      return;
    }
    this.#fault = undefined;
    this.#probe = { bytes: 0, reads: false };
    if (this.#isReported) {
      this.#options.report(new Error(`the store ${this.#options.path} works again`));
    }
    this.#isReported = false;
  }
}

function describe(path: string, { what, advice, detail }: FileFault): string {
  const toDo = advice === undefined ? "" : `; ${advice}`;
  const consequence = "Callers get UNAVAILABLE until it works again";
  return `the store ${path} does not work: ${what}${toDo}. ${consequence} (${detail}).`;
}
