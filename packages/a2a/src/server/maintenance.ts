import type { Agent } from "./agent.js";
import { recoverTasks } from "./recovery.js";
import type { RunEnvironment } from "./run-environment.js";
import type { Runner } from "./runner.js";

/** Rows deleted at a time, so that no writer waits long. */
const deletionBatch = 500;
const retentionPauseMs = 60_000;

/**
 * A lease lasts for three of these and is renewed with each; what is abandoned is looked for with each.
 * So whatever a dead node leaves behind is taken over within four of them, which is `leaseMs`.
 */
const beatsPerLease = 4;

/** What a node does by itself: keeps its lease, takes over what was abandoned, deletes what is too old. */
export class Maintenance {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #runner: Runner;
  readonly #timers = new Map<string, () => void>();
  #phase: "working" | "stopping" | "stopped" = "working";
  #renewal: Promise<void> = Promise.resolve();

  constructor(environment: RunEnvironment, agent: Agent, runner: Runner) {
    this.#environment = environment;
    this.#agent = agent;
    this.#runner = runner;
  }

  async start(): Promise<void> {
    const beatMs = this.#environment.settings.leaseMs / beatsPerLease;
    await this.#renew();
    this.#every("renew", beatMs, () => this.#renew());
    await this.#recover();
    this.#every("recover", beatMs, () => this.#recover());
    this.#every("delete", retentionPauseMs, () => this.#deleteOld());
  }

  /** Takes over and deletes nothing any more, but keeps the lease for the runs that still finish. */
  stopRecovery(): void {
    this.#phase = "stopping";
    for (const [name, cancel] of this.#timers) if (name !== "renew") cancel();
  }

  /** From then on the lease is not renewed. */
  async stop(): Promise<void> {
    this.#phase = "stopped";
    for (const cancel of this.#timers.values()) cancel();
    await this.#renewal.catch(() => undefined);
  }

  #renew(): Promise<void> {
    if (this.#phase === "stopped") return this.#renewal;
    const { store, node, clock, settings } = this.#environment;
    const leaseMs = (settings.leaseMs * (beatsPerLease - 1)) / beatsPerLease;
    return (this.#renewal = store.renewNode(node, clock.now() + leaseMs));
  }

  async #recover(): Promise<void> {
    // A node that was asleep would find itself dead, and its own runs abandoned.
    await this.#renew();
    while (this.#phase === "working") {
      const count = await recoverTasks(this.#environment, this.#agent, this.#runner);
      if (count === 0) return;
    }
  }

  async #deleteOld(): Promise<void> {
    const { store, clock, settings } = this.#environment;
    const { retentionMs } = settings;
    while (this.#phase === "working" && retentionMs !== undefined) {
      const deleted = await store.deleteEnded(clock.now() - retentionMs, deletionBatch);
      if (deleted < deletionBatch) break;
    }
    if (this.#phase === "working") await store.deleteExpiredKeys(clock.now(), deletionBatch);
  }

  /** Again and again, one after the other; a failure is reported and does not end it. */
  #every(name: string, pauseMs: number, work: () => Promise<void>): void {
    if (this.#phase === "stopped" || (this.#phase === "stopping" && name !== "renew")) return;
    const next = (): void => this.#every(name, pauseMs, work);
    const run = (): void => {
      work()
        .catch((error: unknown) => this.#environment.report(error, name))
        .finally(next);
    };
    this.#timers.set(name, this.#environment.clock.after(pauseMs, run));
  }
}
