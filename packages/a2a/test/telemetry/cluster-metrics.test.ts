import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Bus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { taskOf } from "../support/runtime/answers.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime, TestRuntimeOptions } from "../support/runtime/open-test-runtime.js";
import { createSharedBus } from "../support/runtime/shared-bus.js";
import { watchInBackground } from "../support/streams.js";
import { createDeferred } from "../support/time/deferred.js";
import { settle, until } from "../support/time/until.js";
import { createNodeMetrics } from "./read-registry.js";
import type { NodeMetrics } from "./read-registry.js";

const second = 1000;
const leaseMs = 12 * second;

interface MeasuredNode extends TestRuntime {
  readonly counted: NodeMetrics;
}

/** Nodes over one store and one clock, each of which counts for itself. Their runs say "a", and "b" once the gate is open. */
function createCluster() {
  const clock = createTestClock();
  const store = { ...createMemoryStore({ clock }), isShared: true };
  const gate = createDeferred<void>();
  const run: Handler = async function* () {
    yield "a";
    await gate.promise;
    yield "b";
  };
  const bus = createInProcessBus();
  const open = async (options: Partial<TestRuntimeOptions> = {}): Promise<MeasuredNode> => {
    const counted = createNodeMetrics();
    const telemetry = { metrics: counted.metrics };
    const settings = { leaseMs, stopGraceMs: 0 };
    const shared = { run, store, clock, bus, durable: true, settings, telemetry };
    return Object.assign(await openTestRuntime({ ...shared, ...options }), { counted });
  };
  const send = async ({ service }: TestRuntime): Promise<string> =>
    taskOf(await service.sendMessage(sayAndLeave("go"), call())).id;
  const lengthOf = async (id: string): Promise<number> =>
    (await store.loadRecord(id))?.sequence ?? 0;
  return { clock, store, bus, gate, open, send, lengthOf };
}

/** A bus whose wake-ups take this long. */
function createSlowBus(bus: Bus, clock: { after(ms: number, work: () => void): void }, ms: number) {
  return {
    ...bus,
    isShared: true,
    subscribe: (taskId: string, wake: (sequence: number) => void) =>
      bus.subscribe(taskId, (sequence) => clock.after(ms, () => wake(sequence))),
  };
}

describe("what another node has written", () => {
  const delay = "parley_wakeup_delay_seconds";

  it("is timed from its commit to the moment when this node has read it, by those whom a wake-up told of it", async () => {
    const cluster = createCluster();
    const { clock, gate, bus } = cluster;
    await using works = await cluster.open();
    await using watches = await cluster.open({ bus: createSlowBus(bus, clock, 300) });
    const id = await cluster.send(works);
    await settle();
    const watched = watchInBackground(watches.service.subscribeToTask({ id }, call()));
    await settle();
    expect(watches.counted.value(`${delay}_count`)).toBe(0);
    gate.resolve();
    await settle();
    expect(watches.counted.value(`${delay}_count`), "before the wake-up").toBe(0);
    await clock.advance(300);
    await until(() => watched.isOver);
    expect(watches.counted.value(`${delay}_count`, { parley_bus: "process" })).toBe(1);
    expect(watches.counted.value(`${delay}_sum`)).toBeCloseTo(0.3, 6);
    expect(watches.counted.value(`${delay}_bucket`, { le: "0.25" })).toBe(0);
    expect(watches.counted.value(`${delay}_bucket`, { le: "0.5" })).toBe(1);
    // Nobody has to tell a node what it has written itself, and nothing was left for a poll to find.
    expect(works.counted.value(`${delay}_count`)).toBe(0);
    await clock.advance(60 * second);
    expect(watches.counted.value("parley_poll_found_total")).toBe(0);
  });

  it("is timed by the time of the store, where the clock of this node is wrong", async () => {
    const cluster = createCluster();
    const { clock, gate, bus } = cluster;
    await using works = await cluster.open();
    const fast = { ...clock, now: () => clock.now() + 5 * second };
    const slow = createSlowBus(bus, clock, 300);
    await using watches = await cluster.open({ bus: slow, clock: fast });
    expect(watches.counted.value("parley_clock_offset_seconds")).toBe(5);
    expect(works.counted.value("parley_clock_offset_seconds")).toBe(0);
    const id = await cluster.send(works);
    await settle();
    const watched = watchInBackground(watches.service.subscribeToTask({ id }, call()));
    await settle();
    gate.resolve();
    await clock.advance(300);
    await until(() => watched.isOver);
    expect(watches.counted.value(`${delay}_sum`)).toBeCloseTo(0.3, 6);
  });

  it("counts as found by a poll while the bus is cut, entry by entry, and the cut as a loss", async () => {
    const cluster = createCluster();
    const { clock, gate } = cluster;
    const [worker, watcher] = [createSharedBus(cluster.bus), createSharedBus(cluster.bus)];
    await using works = await cluster.open({ bus: worker.bus });
    await using watches = await cluster.open({ bus: watcher.bus });
    const id = await cluster.send(works);
    await settle();
    const watched = watchInBackground(watches.service.subscribeToTask({ id }, call()));
    await settle();
    const ofBus = { parley_bus: "process", gen_ai_agent_name: "Tested" };
    const { counted } = watches;
    expect(counted.value("parley_bus_connected", ofBus)).toBe(1);
    worker.become(false);
    watcher.become(false);
    await settle();
    expect(counted.value("parley_bus_connected", ofBus)).toBe(0);
    const before = await cluster.lengthOf(id);
    gate.resolve();
    await until(async () => (await cluster.lengthOf(id)) > before + 1);
    await settle();
    expect(counted.value("parley_poll_found_total"), "before the poll").toBe(0);
    await clock.advance(second);
    await until(() => watched.isOver);
    const written = (await cluster.lengthOf(id)) - before;
    expect(written).toBeGreaterThan(1);
    expect(counted.value("parley_poll_found_total", { parley_bus: "process" })).toBe(written);
    expect(counted.value("parley_wakeup_delay_seconds_count")).toBe(0);
    watcher.become(true);
    await settle();
    // That it is back is no loss.
    expect(counted.value("parley_bus_lost_total", ofBus)).toBe(1);
    expect(counted.value("parley_bus_connected", ofBus)).toBe(1);
    worker.become(true);
  });
});

describe("the tasks of a node that has died", () => {
  const recovered = (node: MeasuredNode, parley_outcome: string): number | undefined =>
    node.counted.value("parley_run_recovered_total", { parley_outcome });
  const takenOver = (node: MeasuredNode): number | undefined =>
    node.counted.value("parley_lease_takeovers_total", { gen_ai_agent_name: "Tested" });

  it("are counted by the node that takes them over and goes on with them; what the dead one still writes, as fenced", async () => {
    const cluster = createCluster();
    const dies = await cluster.open();
    for (let count = 0; count < 3; count += 1) await cluster.send(dies);
    await settle();
    dies.freeze();
    // The handlers go on, and their writes are under way.
    cluster.gate.resolve();
    await settle();
    await using survives = await cluster.open();
    expect(takenOver(survives)).toBe(0);
    await cluster.clock.advance(2 * leaseMs);
    expect(takenOver(survives)).toBe(3);
    expect(recovered(survives, "resumed")).toBe(3);
    expect([recovered(survives, "failed"), recovered(survives, "not-possible")]).toEqual([0, 0]);
    const fenced = (): number | undefined => dies.counted.value("parley_lease_fenced_total");
    expect(fenced()).toBe(0);
    dies.thaw();
    await until(() => fenced() === 3);
    expect(dies.counted.value("parley_append_refused_total", { parley_reason: "fenced" })).toBe(3);
    expect(survives.counted.value("parley_lease_fenced_total")).toBe(0);
    expect(takenOver(dies)).toBe(0);
    await dies[Symbol.asyncDispose]();
  });

  it("are counted as failed where their agent does not resume", async () => {
    const cluster = createCluster();
    const dies = await cluster.open({ durable: false });
    await cluster.send(dies);
    await settle();
    dies.freeze();
    await using survives = await cluster.open({ durable: false });
    await cluster.clock.advance(2 * leaseMs);
    expect(takenOver(survives)).toBe(1);
    expect([recovered(survives, "failed"), recovered(survives, "resumed")]).toEqual([1, 0]);
    const ended = { a2a_task_state: "TASK_STATE_FAILED" };
    expect(survives.counted.value("parley_task_ended_total", ended)).toBe(1);
  });

  it("are counted as not possible while the store fails, and shown as orphans until they go on", async () => {
    const cluster = createCluster();
    const dies = await cluster.open();
    await cluster.send(dies);
    await settle();
    dies.freeze();
    const store = { ...cluster.store };
    let isFull = true;
    intercept(store, "append", () => {
      if (isFull) throw new Error("the disk is full");
    });
    await using survives = await cluster.open({ store });
    const orphans = (): number | undefined => survives.counted.value("parley_task_orphaned");
    await until(async () => {
      await cluster.clock.advance(leaseMs / 8);
      return (recovered(survives, "not-possible") ?? 0) > 0;
    });
    expect([recovered(survives, "resumed"), orphans()]).toEqual([0, 1]);
    const failed = { parley_reason: "failed", parley_store: "memory" };
    expect(survives.counted.value("parley_append_refused_total", failed)).toBeGreaterThan(0);
    isFull = false;
    await cluster.clock.advance(leaseMs);
    expect([recovered(survives, "resumed"), orphans()]).toEqual([1, 0]);
    // It was taken over once, however often it was begun.
    expect(takenOver(survives)).toBe(1);
  });

  it("are shown as abandoned by the first of the nodes that are left, while none of them has room", async () => {
    const cluster = createCluster();
    const dies = await cluster.open();
    for (let count = 0; count < 2; count += 1) await cluster.send(dies);
    await settle();
    const full = { settings: { leaseMs, stopGraceMs: 0, maxConcurrentRuns: 1 } };
    await using one = await cluster.open(full);
    await using two = await cluster.open(full);
    await cluster.clock.advance(leaseMs / 4);
    for (const node of [one, two]) await cluster.send(node);
    dies.freeze();
    await cluster.clock.advance(3 * leaseMs);
    const abandoned = [one, two].map(({ counted }) => counted.value("parley_task_abandoned"));
    expect(abandoned).toEqual([2, undefined]);
    const nodes = [one, two].map(({ counted }) => counted.value("parley_cluster_nodes"));
    expect(nodes).toEqual([2, 2]);
    cluster.gate.resolve();
    await cluster.clock.advance(3 * leaseMs);
    expect(one.counted.value("parley_task_abandoned")).toBe(0);
  });
});

describe("the lease of a node", () => {
  it("is shown with what is left of it, and with its whole span", async () => {
    const cluster = createCluster();
    const node = await cluster.open();
    const left = (): number | undefined => node.counted.value("parley_lease_remaining_seconds");
    const span = (leaseMs * 3) / 4 / second;
    expect([left(), node.counted.value("parley_lease_span_seconds")]).toEqual([span, span]);
    await cluster.clock.advance(second);
    expect(left()).toBe(span - 1);
    node.freeze();
    await cluster.clock.advance(span * second);
    expect(left()).toBe(0);
  });
});
