import type { Agent } from "./agent.js";
import { recoverTasks } from "./recovery.js";
import type { RunEnvironment } from "./run-environment.js";
import type { Runner } from "./runner.js";

/** Rows deleted at a time, so that no writer waits long. */
const deletionBatch = 500;
const retentionPauseMs = 60_000;

/** What a node does by itself: keeps its lease, takes over what was abandoned, deletes what is too old. */
export class Maintenance {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #runner: Runner;
  readonly #timers = new Map<string, () => void>();
  #isStopped = false;

  constructor(environment: RunEnvironment, agent: Agent, runner: Runner) {
    this.#environment = environment;
    this.#agent = agent;
    this.#runner = runner;
  }

  async start(): Promise<void> {
    const { leaseMs } = this.#environment.settings;
    await this.#renew();
    this.#every("renew", leaseMs / 3, () => this.#renew());
    await this.#recover();
    this.#every("recover", leaseMs / 3, () => this.#recover());
    this.#every("delete", retentionPauseMs, () => this.#deleteOld());
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers.values()) cancel();
  }

  async #renew(): Promise<void> {
    const { store, node, clock, settings } = this.#environment;
    await store.renewNode(node, clock.now() + settings.leaseMs);
  }

  async #recover(): Promise<void> {
    while (!this.#isStopped) {
      const count = await recoverTasks(this.#environment, this.#agent, this.#runner);
      if (count === 0) return;
    }
  }

  async #deleteOld(): Promise<void> {
    const { store, clock, settings } = this.#environment;
    const { retentionMs } = settings;
    while (!this.#isStopped && retentionMs !== undefined) {
      const deleted = await store.deleteEnded(clock.now() - retentionMs, deletionBatch);
      if (deleted < deletionBatch) break;
    }
    if (!this.#isStopped) await store.deleteExpiredKeys(clock.now(), deletionBatch);
  }

  /** Again and again, one after the other; a failure is reported and does not end it. */
  #every(name: string, pauseMs: number, work: () => Promise<void>): void {
    if (this.#isStopped) return;
    const next = (): void => this.#every(name, pauseMs, work);
    const run = (): void => {
      work()
        .catch((error: unknown) => this.#environment.report(error, name))
        .finally(next);
    };
    this.#timers.set(name, this.#environment.clock.after(pauseMs, run));
  }
}
