import type { BusSubscription, BusTopic } from "../../bus/internal.js";
import type { Agent } from "../author/agent.js";
import { isReached } from "../log/is-reached.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";
import { failUnanswered } from "./fail-unanswered.js";
import { beats } from "./node-lease.js";
import type { NodeLease } from "./node-lease.js";
import { Periodic } from "./periodic.js";
import { recoverOrphans } from "./recover-tasks.js";
import { Strays } from "./strays.js";
import { TakeOver } from "./take-over.js";

/** How many rows are deleted at a time, so that no writer waits long. */
const deletionBatch = 500;
/** The pause between two looks for what has expired: as long as the retention, within these bounds. */
const deletionPausesMs = { longest: 60_000, shortest: 1000 };

/** A node's periodic work: renews its lease, takes over abandoned tasks, deletes what has expired. */
export class Maintenance {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #runner: Runner;
  readonly #lease: NodeLease;
  readonly #strays: Strays;
  readonly #takeOver: TakeOver;
  readonly #work: Periodic[] = [];
  readonly #heard: BusSubscription[] = [];
  #stopListening = (): void => {};
  #recovery: Periodic | undefined;
  #isStopped = false;

  constructor(
    environment: RunEnvironment,
    parts: { readonly agent: Agent; readonly runner: Runner; readonly lease: NodeLease },
  ) {
    this.#environment = environment;
    this.#agent = parts.agent;
    this.#runner = parts.runner;
    this.#lease = parts.lease;
    this.#strays = new Strays({ ...parts, environment });
    this.#takeOver = new TakeOver({
      ...parts,
      environment,
      hurry: () => this.#recovery?.hurry(),
    });
  }

  /** Resolves with the tasks that others left; where there are other nodes, with the first bite of them. */
  async start(): Promise<void> {
    const { bus, node, settings } = this.#environment;
    const { leaseMs, retentionMs = Infinity, waitingRetentionMs } = settings;
    const beatMs = leaseMs / beats;
    const { longest, shortest } = deletionPausesMs;
    const deletionPauseMs = Math.max(shortest, Math.min(longest, retentionMs));
    const readAll = (): void => void this.#environment.liveTasks.refreshAll();
    this.#lease.observe({
      lapsed: () => this.#lapse(),
      regained: readAll,
      bereft: readAll,
      drains: () => void this.#drain(),
    });
    await this.#lease.renew();
    await this.#recoverOwn();
    await this.#takeOver.begin();
    const renewal = this.#every("renew", beatMs, () => this.#lease.renew());
    this.#recovery = this.#every("recover", beatMs, () => this.#recover());
    this.#every("delete", deletionPauseMs, () => this.#deleteOld());
    if (waitingRetentionMs !== undefined) {
      this.#every("wait", beatMs, () => this.#failUnanswered(waitingRetentionMs));
    }
    const hear = (topic: BusTopic, about: string, act: () => void): void => {
      const listen = (message: string): void => {
        if (message === about) act();
      };
      this.#heard.push(bus.subscribeTopic(topic, listen));
    };
    // The others have to look for what this node writes while it is cut off from the bus, so they learn of it at once.
    let wasReached = isReached(this.#environment);
    this.#stopListening = bus.onLost(() => {
      if (wasReached !== isReached(this.#environment)) renewal.hurry();
      wasReached = isReached(this.#environment);
    });
    hear("drain", node, () => renewal.hurry());
    hear("abandoned", this.#agent.name, () => this.#takeOver.told());
  }

  /** Begins nothing more. Resolves when the work under way is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#takeOver.stop();
    this.#stopListening();
    for (const subscription of this.#heard) subscription.stop();
    await Promise.all(this.#work.map((work) => work.stop()));
    this.#lease.stop();
  }

  /** Whether other nodes can repeat the runs of this one. */
  get canHandOver(): boolean {
    return this.#agent.durable && this.#lease.nodes > 1;
  }

  /** Runs that other nodes can repeat are theirs from now on. Nobody repeats the others, and the epoch guards the log. */
  #lapse(): void {
    if (this.canHandOver) this.#runner.lapse();
  }

  async #drain(): Promise<void> {
    if (this.canHandOver) await this.#runner.handOver();
  }

  async #recover(): Promise<void> {
    await this.#recoverOwn();
    await this.#takeOver.look();
  }

  /** Takes up the tasks that this node holds and does not work on. */
  async #recoverOwn(): Promise<void> {
    const environment = this.#environment;
    const agent = this.#agent;
    const runner = this.#runner;
    await this.#strays.find();
    await recoverOrphans({ environment, agent, runner });
  }

  async #failUnanswered(waitingMs: number): Promise<void> {
    while (!this.#isStopped) {
      if ((await failUnanswered(this.#environment, this.#agent, waitingMs)) === 0) return;
    }
  }

  async #deleteOld(): Promise<void> {
    const { store, clock, settings } = this.#environment;
    const { retentionMs } = settings;
    if (retentionMs !== undefined) {
      await this.#inBatches(() => store.deleteEnded(clock.now() - retentionMs, deletionBatch));
    }
    await this.#inBatches(() => store.deleteExpiredKeys(clock.now(), deletionBatch));
  }

  async #inBatches(deleteSome: () => Promise<number>): Promise<void> {
    while (!this.#isStopped) {
      if ((await deleteSome()) < deletionBatch) return;
    }
  }

  /** Does work periodically. A failure is reported and does not end it. */
  #every(name: string, pauseMs: number, work: () => Promise<void>): Periodic {
    const { clock, report } = this.#environment;
    const periodic = new Periodic({ clock, pauseMs, work, failed: (error) => report(error, name) });
    this.#work.push(periodic);
    return periodic;
  }
}
