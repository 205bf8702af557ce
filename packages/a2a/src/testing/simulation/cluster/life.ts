import type { Clock } from "../../../async/internal.js";
import { hashText, mix } from "../engine/choices.js";
import type { Owner } from "../engine/scheduler.js";
import type { World } from "../world/world.js";

/** One life of a node, from its start to its stop or its crash. Nothing refers to it after that. */
export class Life implements Owner {
  readonly name: string;
  /** The node, whose lives follow each other. */
  readonly slot: string;
  readonly clock: Clock;
  /** The id of the node in leases. */
  readonly nodeId: string;
  isGone = false;
  pausedUntil = 0;
  /** Requests to the store fail until then. */
  cutUntil = 0;
  /** Wake-ups are lost until then. */
  deafUntil = 0;
  /** Whether the bus knows that they are lost. */
  knowsDeafness = false;
  /** How many requests to the store have failed, and how many of those the store has done later. */
  failures = 0;
  /** How many timers are set. */
  timers = 0;
  /** Called when the life ends, however it ends. */
  readonly onGone: Set<() => void> = new Set();
  readonly #world: World;
  readonly #start: number;
  #count = 0;

  constructor(world: World, slot: string, number: number) {
    this.#world = world;
    this.slot = slot;
    this.name = `${slot}.${number}`;
    this.#start = mix(world.seed, hashText(this.name));
    this.clock = this.#createClock();
    this.nodeId = this.newId();
  }

  /** Ends it from one moment to the next. What the current step still does is without effect. */
  crash(): void {
    if (this.isGone) return;
    this.#world.log(`${this.name} crashes`);
    this.end();
  }

  end(): void {
    this.isGone = true;
    for (const tell of this.onGone) tell();
    this.onGone.clear();
  }

  /** A call of a port is about to be made. False when the node is gone, which may be decided here. */
  passes(port: string): boolean {
    if (this.isGone) return false;
    if (!this.#world.faults.hits("crash", `${this.slot}/${port}`)) return true;
    this.#world.nodeFaulted("crash", this);
    this.crash();
    return false;
  }

  /** From 0 up to 1. */
  readonly random = (): number => this.#next() / 2 ** 32;

  /** Ids do not ascend with time, so that nothing comes to rely on it. */
  newId(): string {
    const digits = [0, 1, 2, 3].map(() => this.#next().toString(16).padStart(8, "0"));
    return digits.join("");
  }

  #next(): number {
    this.#count += 1;
    return mix(this.#start, this.#count);
  }

  #createClock(): Clock {
    const { scheduler, choices, faults, startAt } = this.#world;
    const isWrong = faults.has("skew");
    const offsets = [0, 900, -900, 13_000, -13_000, 60_000, -60_000] as const;
    const offset = isWrong ? choices.pick(`${this.slot}/offset`, offsets) : 0;
    const rate = isWrong ? choices.pick(`${this.slot}/rate`, [1, 1.01, 0.99] as const) : 1;
    return {
      now: () => startAt + offset + Math.floor((scheduler.now * rate) / 1000),
      after: (delayMs, callback) => {
        this.timers += 1;
        const step = scheduler.after((delayMs * 1000) / rate, this, () => {
          cancel();
          callback();
        });
        const cancel = (): void => {
          if (step.run !== undefined) this.timers -= 1;
          step.run = undefined;
        };
        return cancel;
      },
      atTurnsEnd: (action) => void scheduler.after(0, this, action),
      keepAlive: () => () => undefined,
    };
  }
}
