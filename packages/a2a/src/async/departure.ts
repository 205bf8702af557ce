import { Roster } from "./roster.js";

/**
 * Says when somebody has stopped waiting. What a signal is, for where one is made for every call: those of
 * the platform take longer to make and to collect than most calls take.
 */
export class Departure {
  readonly #callbacks = new Roster<() => void>();
  #stopListening: (() => void) | undefined;
  #hasLeft = false;

  /** Who leaves by a signal too. */
  constructor(signal?: AbortSignal) {
    if (signal?.aborted === true) this.#hasLeft = true;
    else if (signal !== undefined) this.#stopListening = onLeave(signal, () => this.leave());
  }

  get aborted(): boolean {
    return this.#hasLeft;
  }

  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    for (const callback of this.#callbacks.members()) callback();
  }

  /** Calls back when they leave; the answer takes that back. */
  onLeave(callback: () => void): () => void {
    const place = this.#callbacks.add(callback);
    return () => this.#callbacks.remove(place);
  }

  /** Nobody waits any more, and the signal is not listened to. */
  end(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }
}

/** What a wait can be ended by. */
export type Leaving = AbortSignal | Departure;

/** What stands for a signal that is waited on goes with it; a table of them would be gone through again and again. */
const departure = Symbol("departure");

type WaitedOn = AbortSignal & { [departure]?: Departure };

/**
 * Calls back when somebody leaves; the answer takes that back. However many wait on a signal, it has one
 * listener: to add and remove one for every wait costs more than most of them take.
 */
export function onLeave(leaving: Leaving, callback: () => void): () => void {
  const who = leaving instanceof Departure ? leaving : departureBy(leaving);
  return who.onLeave(callback);
}

function departureBy(signal: WaitedOn): Departure {
  const known = signal[departure];
  if (known !== undefined) return known;
  const made = new Departure();
  signal[departure] = made;
  signal.addEventListener("abort", () => made.leave(), { once: true });
  return made;
}
