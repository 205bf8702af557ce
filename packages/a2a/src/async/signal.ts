import { Roster } from "./roster.js";

/** Anything that can end a wait. */
export type AnySignal = AbortSignal | LightSignal;

/**
 * An abort signal and its controller in one object, for code that needs one per call, per run or per stream.
 * Creating and collecting a platform `AbortSignal` takes longer than most calls take, so this creates one
 * only for those who ask for it (`toAbortSignal`). Any number of listeners is fine; node warns about more
 * than ten on an `AbortSignal`.
 */
export class LightSignal {
  #isAborted = false;
  #reason: unknown;
  #listeners: Roster<(() => void) | LightSignal> | undefined;
  #controller: AbortController | undefined;
  /** The signal that this one follows, and its place among those who do. */
  #followed: LightSignal | undefined;
  #place = 0;

  /** With a source, this signal is aborted when the source is, until `unfollow` is called. */
  constructor(source?: AbortSignal) {
    if (source === undefined) return;
    if (source.aborted) {
      this.abort(source.reason);
      return;
    }
    this.#followed = lightSignalOf(source);
    this.#place = (this.#followed.#listeners ??= new Roster()).add(this);
  }

  get aborted(): boolean {
    return this.#isAborted;
  }

  /** Tells every listener. Only the first call and its reason count. */
  abort(reason?: unknown): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners?.members() ?? []) {
      if (typeof listener === "function") listener();
      else listener.abort(reason);
    }
  }

  throwIfAborted(): void {
    if (this.#isAborted) this.toAbortSignal().throwIfAborted();
  }

  /** Calls back once when the signal is aborted; the returned function stops listening. */
  onAbort(listener: () => void): () => void {
    const listeners = (this.#listeners ??= new Roster());
    const place = listeners.add(listener);
    return () => listeners.remove(place);
  }

  /** Resolves when the signal is aborted, at once if it already is. */
  whenAborted(): Promise<void> {
    if (this.#isAborted) return Promise.resolve();
    return new Promise((resolve) => void this.onAbort(resolve));
  }

  /** The same signal for platform APIs. Created on the first call; later calls return the same one. */
  toAbortSignal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(this.#reason);
      (this.#controller.signal as ListenedTo)[light] = this;
    }
    return this.#controller.signal;
  }

  /** Stops following the source, so that a long-lived source does not keep this signal in memory. */
  unfollow(): void {
    if (this.#followed !== undefined) this.#followed.#listeners?.remove(this.#place);
    this.#followed = undefined;
  }
}

/** A property of the `AbortSignal` itself: a `WeakMap` of them costs the garbage collector more. */
const light = Symbol("light signal");

type ListenedTo = AbortSignal & { [light]?: LightSignal };

/**
 * Calls back once when a signal is aborted; the returned function stops listening. An `AbortSignal` gets one
 * event listener however many callbacks wait on it: adding and removing one per wait costs more than most waits.
 */
export function onAbort(signal: AnySignal, listener: () => void): () => void {
  return (signal instanceof LightSignal ? signal : lightSignalOf(signal)).onAbort(listener);
}

function lightSignalOf(signal: ListenedTo): LightSignal {
  const known = signal[light];
  if (known !== undefined) return known;
  const follower = new LightSignal();
  signal[light] = follower;
  signal.addEventListener("abort", () => follower.abort(signal.reason), { once: true });
  return follower;
}
