import type { Agent } from "../author/agent.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";
import { recoverTasks } from "./recovery.js";

/** Rows deleted at a time, so that no writer waits long. */
const deletionBatch = 500;
const retentionPauseMs = 60_000;

/**
 * A node renews its lease four times in its span and looks for abandoned tasks as often. A lease lasts
 * three quarters of the span, so that what a dead node leaves behind is taken over within all of it.
 */
const beats = 4;

/** What a node does by itself: keeps its lease, takes over what was abandoned, deletes what is too old. */
export class Maintenance {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #runner: Runner;
  readonly #timers = new Map<string, () => void>();
  readonly #underWay = new Set<Promise<void>>();
  /** Until when the lease is known to last. */
  #leaseUntil = 0;
  #isStopped = false;

  constructor(environment: RunEnvironment, agent: Agent, runner: Runner) {
    this.#environment = environment;
    this.#agent = agent;
    this.#runner = runner;
  }

  async start(): Promise<void> {
    const beatMs = this.#environment.settings.leaseMs / beats;
    await this.#renew();
    await this.#recover();
    this.#every("renew", beatMs, () => this.#renew());
    this.#every("recover", beatMs, () => this.#recover());
    this.#every("delete", retentionPauseMs, () => this.#deleteOld());
  }

  /** Resolves when what is under way is done; nothing more is begun. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const cancel of this.#timers.values()) cancel();
    await Promise.all(this.#underWay);
  }

  async #renew(): Promise<void> {
    const { store, node, clock, settings, lives } = this.#environment;
    const until = clock.now() + Math.floor((settings.leaseMs * (beats - 1)) / beats);
    await store.renewNode(node, until);
    // While the lease had lapsed, others may have taken tasks over; runs that lost theirs must hear of it.
    const hasLapsed = clock.now() >= this.#leaseUntil;
    this.#leaseUntil = until;
    if (hasLapsed) await lives.refreshAll();
  }

  async #recover(): Promise<void> {
    const { environment, agent, runner } = {
      environment: this.#environment,
      agent: this.#agent,
      runner: this.#runner,
    };
    while (!this.#isStopped) {
      if ((await recoverTasks({ environment, agent, runner })) === 0) return;
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

  /** Again and again, one after the other; a failure is reported and does not end it. */
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
