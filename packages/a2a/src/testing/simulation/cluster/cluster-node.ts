import { openRuntime } from "../../../server/internal.js";
import type { Agent, PushSender, Runtime, RuntimeOptions } from "../../../server/internal.js";
import { A2AError } from "../../../protocol/internal.js";
import type { World } from "../world/world.js";
import type { BusHub } from "./bus-hub.js";
import { Life } from "./life.js";
import { createSimulatedCrypto } from "./simulated-crypto.js";
import { openSimulatedStore } from "./simulated-store.js";
import type { StoreHub } from "./store-hub.js";

/** What the nodes of a cluster have in common. */
export interface ClusterParts {
  readonly world: World;
  readonly stores: StoreHub;
  readonly buses: BusHub;
  readonly settings: NonNullable<RuntimeOptions["settings"]>;
  /** The agent as a node runs it in one of its lives. */
  readonly createAgent: (life: Life, revision: number) => Agent;
  readonly createSender: (life: Life) => PushSender;
  readonly openRuntime?: typeof openRuntime;
}

/** How long a node that has stopped may still get answers, in microseconds. */
const afterglow = 5_000_000;

/** A node of the cluster, over all its lives. */
export class ClusterNode {
  readonly slot: string;
  readonly #parts: ClusterParts;
  #lives = 0;
  #revision = 1;
  #life: Life | undefined;
  #runtime: Runtime | undefined;
  #isStopping = false;

  constructor(parts: ClusterParts, slot: string) {
    this.#parts = parts;
    this.slot = slot;
  }

  /** The life that is under way, if there is one. */
  get life(): Life | undefined {
    return this.#life?.isGone === true ? undefined : this.#life;
  }

  /** Where callers get answers, if anywhere. */
  get open(): { readonly life: Life; readonly runtime: Runtime } | undefined {
    const { life } = this;
    if (life === undefined || this.#runtime === undefined) return undefined;
    return { life, runtime: this.#runtime };
  }

  start(): void {
    const { world, stores, buses, settings } = this.#parts;
    this.#lives += 1;
    const life = new Life(world, this.slot, this.#lives);
    this.#life = life;
    this.#runtime = undefined;
    this.#isStopping = false;
    life.onGone.add(() => this.#comeBack(life));
    let ids = 0;
    const newId = (): string => {
      ids += 1;
      return ids === 1 ? life.nodeId : life.newId();
    };
    world.scheduler.after(0, life, () => {
      const open = this.#parts.openRuntime ?? openRuntime;
      const opening = open({
        agent: this.#parts.createAgent(life, this.#revision),
        store: openSimulatedStore(world, stores, life),
        bus: buses.open(life),
        settings,
        address: this.slot,
        pushSender: this.#parts.createSender(life),
        clock: life.clock,
        random: life.random,
        crypto: createSimulatedCrypto(() => life.newId()),
        newId,
        report: (error, about) => this.#report(life, error, about),
      });
      opening.then(
        (runtime) => {
          world.log(`${life.name} is open`);
          this.#runtime = runtime;
        },
        (error: unknown) => {
          world.log(`${life.name} does not open: ${String(error)}`);
          life.end();
        },
      );
    });
  }

  /** Stops the node as an operator does, and checks that nothing of it is left. With `again` it comes back changed. */
  stop(again: boolean): void {
    const { open } = this;
    const { world } = this.#parts;
    if (open === undefined || this.#isStopping) return;
    const { life, runtime } = open;
    this.#isStopping = true;
    if (again) this.#revision += 1;
    else this.#life = undefined;
    world.scheduler.after(0, life, () => {
      world.log(`${life.name} stops`);
      runtime.close().then(
        () => {
          world.log(`${life.name} has stopped`);
          this.#runtime = undefined;
          this.#fade(life, runtime);
        },
        (error: unknown) => {
          world.log(`${life.name} fails to stop: ${String(error)}`);
          life.end();
        },
      );
    });
  }

  /** How many runs are at work or wait for a slot. */
  get runs(): number {
    const { open } = this;
    if (open === undefined) return 0;
    const { tasks, replies, waiting } = open.runtime.figures().runs;
    return tasks.working + replies.working + waiting;
  }

  /** What a node must not have when no task is active and nobody watches. */
  checkAtRest(): void {
    const { open, runs } = this;
    const { world, buses } = this.#parts;
    if (open === undefined) return;
    if (runs > 0) world.problem(`${open.life.name} has ${runs} runs, though all is at rest`);
    // A handler that waits for an answer listens.
    const { waiting } = open.runtime.figures().suspended;
    const tasks = buses.tasksOf(open.life);
    if (tasks > waiting) {
      const found = `${tasks} tasks, and ${waiting} handlers that wait`;
      world.problem(`${open.life.name} listens to ${found}, though all is at rest`);
    }
  }

  /** Ends a life that has stopped. One that was paused meanwhile gets its answers only now. */
  #fade(life: Life, runtime: Runtime): void {
    const { scheduler } = this.#parts.world;
    const begunAt = scheduler.now;
    scheduler.after(afterglow, life, () => {
      if (life.pausedUntil > begunAt) return this.#fade(life, runtime);
      this.#checkLeft(life, runtime);
      life.end();
    });
  }

  #checkLeft(life: Life, runtime: Runtime): void {
    const { world, buses } = this.#parts;
    const { runs, suspended } = runtime.figures();
    const subscriptions = buses.countOf(life);
    if (life.timers > 0) world.problem(`${life.name} has stopped and has ${life.timers} timers`);
    if (subscriptions > 0) {
      world.problem(`${life.name} has stopped and has ${subscriptions} subscriptions`);
    }
    if (runs.tasks.working + runs.replies.working + runs.waiting + suspended.waiting > 0) {
      world.problem(
        `${life.name} has stopped and has runs: ${JSON.stringify({ runs, suspended })}`,
      );
    }
  }

  /** A node that is gone is started again after a while, as an orchestrator does. */
  #comeBack(life: Life): void {
    const { world } = this.#parts;
    if (this.#life !== life) return;
    const waits = world.choices.choose(`${this.slot}/away`, 8);
    world.scheduler.after(50_000 + waits * 700_000, undefined, () => this.start());
  }

  #report(life: Life, error: unknown, about: string): void {
    const { world } = this.#parts;
    world.log(`${life.name} reports ${about}: ${String(error)}`);
    // What wrong clocks and failures of the store cause is expected; anything else is a defect.
    if (about === "clock" || (A2AError.is(error) && error.code !== "INTERNAL")) return;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    world.problem(`${life.name} reports of ${about}: ${stack}`);
  }
}
