import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler, RuntimeSettings } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { callBy, openTestRuntime, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { taskOf } from "../support/runtime/answers.js";
import { createDeferred } from "../support/time/deferred.js";
import { settle } from "../support/time/until.js";

const leaseMs = 12_000;

/** Nodes over one store. Runs end once the gate is open. */
function createCluster() {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const gate = createDeferred<void>();
  let isOpen = false;
  void gate.promise.then(() => (isOpen = true));
  const run: Handler = async function* () {
    yield "begun";
    if (!isOpen) await gate.promise;
    yield " and done";
  };
  const open = (settings: Partial<RuntimeSettings> = {}): Promise<TestRuntime> =>
    openTestRuntime({
      run,
      store,
      clock,
      bus,
      durable: true,
      settings: { leaseMs, stopGraceMs: 0, ...settings },
    });
  const send = async ({ service }: TestRuntime, subject: string, count: number) => {
    const ids: string[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      ids.push(taskOf(await service.sendMessage(sayAndLeave("go"), callBy(subject))).id);
    }
    return ids;
  };
  const states = async (ids: readonly string[]) => {
    const records = await Promise.all(ids.map((id) => store.loadRecord(id)));
    return new Set(records.map((record) => record?.state));
  };
  return { clock, store, bus, gate, open, send, states };
}

const working = ({ service }: TestRuntime): number => service.figures().runs.tasks.working;
const waiting = ({ service }: TestRuntime): number => service.figures().runs.waiting;
const all = { maxConcurrentRunsPerPrincipal: 1000, maxQueuedRunsPerPrincipal: 1000 };

describe("the tasks of a node that has died", () => {
  it("are spread over the others, whoever looks first, and all complete", async () => {
    const cluster = createCluster();
    const { clock } = cluster;
    const dies = await cluster.open(all);
    const survivors = [];
    for (let count = 0; count < 3; count += 1) {
      survivors.push(await cluster.open(all));
      // Each looks at another moment of a beat.
      await clock.advance(leaseMs / 12);
    }
    const ids = await cluster.send(dies, "ann", 300);
    dies.freeze();
    await clock.advance(leaseMs);
    expect(survivors.reduce((sum, node) => sum + working(node), 0)).toBe(300);
    for (const node of survivors) {
      expect(working(node)).toBeGreaterThanOrEqual(50);
      expect(working(node)).toBeLessThanOrEqual(200);
    }
    cluster.gate.resolve();
    await settle();
    expect(await cluster.states(ids)).toEqual(new Set(["TASK_STATE_COMPLETED"]));
    for (const node of survivors) await node[Symbol.asyncDispose]();
  });

  it("stay where they are while no node has room for their caller, and hold up nobody else's", async () => {
    const cluster = createCluster();
    const { clock } = cluster;
    const dies = await cluster.open(all);
    const few = { ...all, maxConcurrentRunsPerPrincipal: 20 };
    await using one = await cluster.open(few);
    await using two = await cluster.open(few);
    await clock.advance(leaseMs / 4);
    const anns = await cluster.send(dies, "ann", 200);
    const bobs = await cluster.send(dies, "bob", 10);
    dies.freeze();
    await clock.advance(leaseMs);
    expect(working(one) + working(two)).toBe(50);
    for (const id of bobs) expect((await cluster.store.loadRecord(id))?.epoch).toBe(2);
    // A bite is at most 32 tasks, of which one at least could begin.
    for (const node of [one, two]) expect(waiting(node)).toBeLessThan(32);
    cluster.gate.resolve();
    await settle();
    // Nobody waits for the next beat: each run that ends makes room for the next.
    await clock.advance(leaseMs / 8);
    expect(await cluster.states([...anns, ...bobs])).toEqual(new Set(["TASK_STATE_COMPLETED"]));
  });

  it("are claimed at the next beat by a node that had no slot at all", async () => {
    const cluster = createCluster();
    const { clock } = cluster;
    const dies = await cluster.open(all);
    const single = { ...all, maxConcurrentRuns: 1 };
    await using one = await cluster.open(single);
    await using two = await cluster.open(single);
    await clock.advance(leaseMs / 4);
    const own = [...(await cluster.send(one, "ann", 1)), ...(await cluster.send(two, "ann", 1))];
    const left = await cluster.send(dies, "bob", 3);
    dies.freeze();
    await clock.advance(2 * leaseMs);
    const epochs = await Promise.all(left.map((id) => cluster.store.loadRecord(id)));
    expect(epochs.map((record) => record?.epoch)).toEqual([1, 1, 1]);
    cluster.gate.resolve();
    await settle();
    await clock.advance(leaseMs / 2);
    expect(await cluster.states([...own, ...left])).toEqual(new Set(["TASK_STATE_COMPLETED"]));
  });
});
