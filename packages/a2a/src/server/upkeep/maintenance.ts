import type { Agent } from "../author/agent.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";
import { failUnanswered } from "./fail-unanswered.js";
import { findStrays } from "./find-strays.js";
import type { Strays } from "./find-strays.js";
import { recoverTasks } from "./recover-tasks.js";

/** How many rows are deleted at a time, so that no writer waits long. */
const deletionBatch = 500;
/** The pause between two looks for what has expired: as long as the retention, within these bounds. */
const deletionPausesMs = { longest: 60_000, shortest: 1000 };

/**
 * How often within `leaseMs` a node renews its lease and looks for abandoned tasks. A lease lasts for three
 * quarters of `leaseMs`, so that the tasks of a dead node are taken over within all of it.
 */
const beats = 4;

/** A node's periodic work: renews its lease, takes over abandoned tasks, deletes what has expired. */
export class Maintenance {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #runner: Runner;
  readonly #timers = new Map<string, () => void>();
  readonly #underWay = new Set<Promise<void>>();
  #strays: Strays = new Map();
  /** The end of the lease, as far as this node knows. */
  #leaseUntil = 0;
  #isStopped = false;

  constructor(environment: RunEnvironment, agent: Agent, runner: Runner) {
    this.#environment = environment;
    this.#agent = agent;
    this.#runner = runner;
  }

  async start(): Promise<void> {
    const { leaseMs, retentionMs = Infinity, waitingRetentionMs } = this.#environment.settings;
    const beatMs = leaseMs / beats;
    const { longest, shortest } = deletionPausesMs;
    const deletionPauseMs = Math.max(shortest, Math.min(longest, retentionMs));
    await this.#renew();
    await this.#recover();
    this.#every("renew", beatMs, () => this.#renew());
    this.#every("recover", beatMs, () => this.#recover());
    this.#every("delete", deletionPauseMs, () => this.#deleteOld());
    if (waitingRetentionMs === undefined) return;
    this.#every("wait", beatMs, () => this.#failUnanswered(waitingRetentionMs));
  }

  /** Begins nothing more. Resolves when the work under way is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#timers.values()) cancel();
    await Promise.all(this.#underWay);
  }

  async #renew(): Promise<void> {
    const { store, node, clock, settings, liveTasks } = this.#environment;
    const forMs = Math.floor((settings.leaseMs * (beats - 1)) / beats);
    const until = clock.now() + forMs;
    const { name, version: revision } = this.#agent;
    await store.renewNode(node, forMs, { agent: name, revision, version: "0.1.0" });
    // Other nodes may have taken over tasks while the lease had lapsed. Runs that lost their tasks learn it here.
    const hasLapsed = clock.now() >= this.#leaseUntil;
    this.#leaseUntil = until;
    if (hasLapsed) await liveTasks.refreshAll();
  }

  async #recover(): Promise<void> {
    const environment = this.#environment;
    const agent = this.#agent;
    const runner = this.#runner;
    this.#strays = await findStrays(environment, { agent, runner, before: this.#strays });
    while (!this.#isStopped) {
      if ((await recoverTasks({ environment, agent, runner })) === 0) return;
    }
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

  /** Does work periodically, with a pause after each time. A failure is reported and does not end it. */
  #every(name: string, pauseMs: number, work: () => Promise<void>): void {
    if (this.#isStopped) return;
    const run = (): void => {
      const done = work()
        .catch((error: unknown) => this.#environment.report(error, name))
        .finally(() => {
          this.#underWay.delete(done);
          this.#every(name, pauseMs, work);
        });
      this.#underWay.add(done);
    };
    this.#timers.set(name, this.#environment.clock.after(pauseMs, run));
  }
}
