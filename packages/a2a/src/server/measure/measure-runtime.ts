import type { Clock } from "../../async/internal.js";
import type { Bus } from "../../bus/internal.js";
import { instruments } from "../../protocol/telemetry/internal.js";
import { attribute } from "../../protocol/tracing/internal.js";
import type { Metrics } from "../../protocol/internal.js";
import type { Store } from "../../store/internal.js";
import type { Runner } from "../run/runner.js";
import type { NodeLease } from "../upkeep/node-lease.js";
import { kindOf } from "../meters.js";

interface Measured {
  readonly metrics: Metrics;
  readonly agent: string;
  readonly node: string;
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly lease: NodeLease;
  readonly runner: Runner;
  readonly orphans: ReadonlySet<string>;
  /** Whether the agent sends push notifications. */
  readonly pushes: boolean;
}

/** How often one node of the agent asks the store for what costs a query. */
const pauseMs = 15_000;

/** A store that is slow to count is asked less often: for this part of the time at most. */
const share = 1 / 50;

/** Shows what a runtime does at the moment. Returns what ends it. */
export function measureRuntime(measured: Measured): () => void {
  const { metrics, agent, bus, lease, runner, orphans } = measured;
  const ofAgent = { [attribute.agentName]: agent };
  const ofBus = { ...ofAgent, [attribute.bus]: kindOf(bus.description) };
  const cluster = new ClusterFigures(measured);
  const i = instruments;
  const show = (
    instrument: (typeof i)[keyof typeof i],
    read: () => number | undefined,
  ): (() => void) => metrics.gauge(instrument, ofAgent, read);
  const stops = [
    show(i.runActive, () => runner.figures.runs.tasks.working),
    show(i.runQueued, () => runner.figures.runs.waiting),
    show(i.runLimit, () => runner.figures.runs.tasks.limit),
    show(i.runSuspended, () => runner.figures.suspended.waiting),
    show(i.taskOrphaned, () => orphans.size),
    show(i.leaseRemaining, () => lease.remainingMs / 1000),
    show(i.leaseSpan, () => lease.spanMs / 1000),
    show(i.clusterNodes, () => lease.nodes),
    show(i.clockOffset, () => lease.offsetMs / 1000),
    show(i.taskAbandoned, () => cluster.abandoned),
    show(i.pushWaiting, () => cluster.waiting),
    show(i.pushDead, () => cluster.dead),
    metrics.gauge(i.busConnected, ofBus, () => (bus.isConnected ? 1 : 0)),
  ];
  return () => {
    cluster.stop();
    for (const stop of stops) stop();
  };
}

/** What the store has to be asked for. Only the node with the lowest slot asks; the others show nothing. */
class ClusterFigures {
  abandoned: number | undefined;
  waiting: number | undefined;
  dead: number | undefined;
  readonly #parts: Measured;
  #cancel: () => void = () => undefined;
  #isStopped = false;

  constructor(parts: Measured) {
    this.#parts = parts;
    this.#askAfter(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #askAfter(ms: number): void {
    if (this.#isStopped) return;
    this.#cancel = this.#parts.clock.after(ms, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    const { clock } = this.#parts;
    const askedAt = clock.now();
    try {
      await this.#read();
    } catch {
      // The store has reported it. What is not known is not shown.
      this.#clear();
    }
    this.#askAfter(Math.max(pauseMs, (clock.now() - askedAt) / share));
  }

  async #read(): Promise<void> {
    const { store, agent, node, pushes } = this.#parts;
    const nodes = (await store.listNodes()).filter((one) => one.agent === agent);
    const first = nodes.find(({ leaseLeftMs }) => leaseLeftMs > 0);
    if (first?.node !== node) return this.#clear();
    let abandoned = 0;
    for (const one of nodes) {
      if (one.leaseLeftMs === 0) abandoned += (await store.listHeld(agent, one.node)).length;
    }
    this.abandoned = abandoned;
    if (!pushes) return;
    const { waiting, buried } = await store.countDeliveries(agent);
    this.waiting = waiting;
    this.dead = buried;
  }

  #clear(): void {
    this.abandoned = this.waiting = this.dead = undefined;
  }
}
