import type { Fault } from "../../contract/index.js";

/** A stream that a gate can break. */
export interface GatedStream {
  /** Ends the stream with an error, as a lost connection does. */
  cut(): void;
}

const silenceMs = 70_000;
const slowMs = 500;

/** What stands between the streams of a connection and the client, and breaks them when a person says so. */
export class StreamGate {
  readonly #streams = new Set<GatedStream>();
  #fault: Fault = { kind: "none" };
  /** Until when nothing passes. */
  #silentUntil = 0;
  #eventsLeft = 0;
  #cancelWait = new Set<() => void>();

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size;
  }

  set(fault: Fault): void {
    this.#fault = fault;
    this.#silentUntil = 0;
    this.#eventsLeft = 0;
    for (const cancel of this.#cancelWait) cancel();
    if (fault.kind === "silence") this.#silentUntil = Date.now() + (fault.ms ?? silenceMs);
    if (fault.kind !== "cut") return;
    const { afterEvents = 0 } = fault;
    if (afterEvents === 0) this.#cut();
    else this.#eventsLeft = afterEvents;
  }

  add(stream: GatedStream): void {
    this.#streams.add(stream);
  }

  remove(stream: GatedStream): void {
    this.#streams.delete(stream);
  }

  /** Waits before the next piece is passed on, if the fault says so. */
  async pass(): Promise<void> {
    const waitMs = this.#waitMs();
    if (waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#cancelWait.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#cancelWait.add(done);
    });
  }

  /** Counts an event; true when the stream is to be cut after it. */
  isLastEvent(): boolean {
    if (this.#eventsLeft === 0) return false;
    this.#eventsLeft -= 1;
    if (this.#eventsLeft > 0) return false;
    this.#fault = { kind: "none" };
    return true;
  }

  #waitMs(): number {
    if (this.#fault.kind === "slow") return this.#fault.everyMs ?? slowMs;
    return this.#silentUntil - Date.now();
  }

  #cut(): void {
    this.#fault = { kind: "none" };
    for (const stream of this.#streams) stream.cut();
    this.#streams.clear();
  }
}
