import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Bus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { createSharedBus } from "../support/runtime/shared-bus.js";
import { artifactText, taskOf, textIn } from "../support/runtime/answers.js";
import { watchInBackground } from "../support/streams.js";
import { createDeferred } from "../support/time/deferred.js";
import { settle, until } from "../support/time/until.js";

const second = 1000;

/** A bus that takes its time to listen to a task, and hears nothing of it before. */
function createLateBus() {
  const inner = createInProcessBus();
  const listens = createDeferred<void>();
  const late: Bus = {
    ...inner,
    isShared: true,
    subscribe(taskId, wake) {
      let isStopped = false;
      void listens.promise.then(() => isStopped || inner.subscribe(taskId, wake));
      return { ready: listens.promise, stop: () => (isStopped = true) };
    },
  };
  return { late, listens };
}

/** A node that runs 40 tasks and one that watches them. The first writes when it is told to. */
async function openWatching(bus: Bus, isShared: boolean, tasks = 40) {
  const clock = createTestClock();
  const store = { ...createMemoryStore({ clock }), isShared };
  const gate = createDeferred<void>();
  const run: Handler = async function* () {
    yield "a";
    await gate.promise;
    yield "b";
  };
  const settings = { leaseMs: 1000 * second };
  const runs = await openTestRuntime({ run, store, clock, bus, settings });
  const watches = await openTestRuntime({ run, store: { ...store }, clock, bus, settings });
  const ids: string[] = [];
  for (let count = 0; count < tasks; count += 1) {
    ids.push(taskOf(await runs.service.sendMessage(sayAndLeave("go"), call())).id);
  }
  const watching = ids.map((id) =>
    watchInBackground(watches.service.subscribeToTask({ id }, call())),
  );
  await settle();
  const areOver = (): boolean => watching.every(({ isOver }) => isOver);
  const close = async (): Promise<void> => {
    gate.resolve();
    await runs[Symbol.asyncDispose]();
    await watches[Symbol.asyncDispose]();
  };
  return { clock, store, gate, runs, watches, areOver, [Symbol.asyncDispose]: close };
}

/** When tasks were read, in seconds. */
function countReads(node: { store: ReturnType<typeof createMemoryStore> }, now: () => number) {
  const reads: number[] = [];
  const begun = now();
  intercept(node.store, "loadRecord", () => void reads.push((now() - begun) / second));
  return reads;
}

describe("tasks that are watched", () => {
  it.each([
    ["one process", false, false],
    ["a bus between processes", true, true],
  ])("are polled every 15 to 30 seconds while the bus works: %s", async (_, hasBus, isShared) => {
    const bus = hasBus ? createSharedBus().bus : createInProcessBus();
    await using cluster = await openWatching(bus, isShared);
    const reads = countReads(cluster.watches, () => cluster.clock.now());
    await cluster.clock.advance(14 * second);
    expect(reads.length).toBe(0);
    await cluster.clock.advance(16 * second);
    expect(reads.length).toBe(40);
    const inSameBeat = Math.max(...reads.map((at) => reads.filter((other) => other === at).length));
    expect(inSameBeat, "spread").toBeLessThanOrEqual(5);
  });

  it("are polled every second where no bus reaches the other processes", async () => {
    await using cluster = await openWatching(createInProcessBus(), true, 3);
    const reads = countReads(cluster.watches, () => cluster.clock.now());
    await cluster.clock.advance(10 * second);
    expect(reads.length).toBe(30);
  });

  it("are read at once when the bus was cut, every second while it is, and at once when it is back", async () => {
    const { bus, become, listeners } = createSharedBus();
    {
      await using cluster = await openWatching(bus, true, 3);
      const reads = countReads(cluster.watches, () => cluster.clock.now());
      become(false);
      await settle();
      expect(reads.length).toBe(3);
      await cluster.clock.advance(5 * second);
      expect(reads.length).toBe(3 + 15);
      become(true);
      await settle();
      expect(reads.length).toBe(3 + 15 + 3);
      await cluster.clock.advance(14 * second);
      expect(reads.length).toBe(3 + 15 + 3);
    }
    expect(listeners.size, "after both nodes have closed").toBe(0);
  });

  it("are polled every second by all nodes while the one that works on them is cut off", async () => {
    const inner = createInProcessBus();
    const [worker, watcher] = [createSharedBus(inner), createSharedBus(inner)];
    const clock = createTestClock();
    const store = { ...createMemoryStore({ clock }), isShared: true };
    const settings = { leaseMs: 8 * second };
    const gates = [createDeferred<void>(), createDeferred<void>()] as const;
    const run: Handler = async function* ({ message }) {
      yield "a";
      await gates[Number(textIn(message.parts))]?.promise;
    };
    const options = { run, clock, settings };
    await using works = await openTestRuntime({ ...options, store, bus: worker.bus });
    // A beat is a quarter of a lease. Those of the other are half a beat later.
    await clock.advance(second);
    const other = { ...options, store: { ...store }, bus: watcher.bus };
    await using watches = await openTestRuntime(other);
    using _ = { [Symbol.dispose]: () => gates.forEach((gate) => gate.resolve()) };
    const begin = async (gate: 0 | 1) => {
      const { id } = taskOf(await works.service.sendMessage(sayAndLeave(`${gate}`), call()));
      return watchInBackground(watches.service.subscribeToTask({ id }, call()));
    };

    const cutOff = await begin(0);
    await clock.advance(1.5 * second);
    worker.become(false);
    // The other learns of it by its next beat, which is before the next of the one that is cut off.
    await clock.advance(0.5 * second);
    gates[0].resolve();
    await settle();
    expect(cutOff.isOver).toBe(false);
    await clock.advance(second);
    expect(cutOff.isOver).toBe(true);

    worker.become(true);
    await clock.advance(2 * second);
    const connected = await begin(1);
    await settle();
    const reads = countReads(watches, () => clock.now());
    await clock.advance(10 * second);
    expect(reads.length, "polls while all are heard").toBe(0);
    gates[1].resolve();
    await settle();
    expect(connected.isOver).toBe(true);
  });

  it("are seen to the end though the bus is cut", async () => {
    const { bus, become } = createSharedBus();
    await using cluster = await openWatching(bus, true, 3);
    become(false);
    cluster.gate.resolve();
    await settle();
    await cluster.clock.advance(second);
    await until(cluster.areOver, "the streams to end");
  });

  it("are read when another node is gone, which may have written without a word", async () => {
    const { bus: heard } = createSharedBus();
    // Wake-ups get lost, and nobody notices.
    const bus = { ...heard, publish: () => undefined };
    const clock = createTestClock();
    const store = { ...createMemoryStore({ clock }), isShared: true };
    const settings = { leaseMs: 8 * second };
    const gate = createDeferred<void>();
    const run: Handler = async function* () {
      yield "a";
      await gate.promise;
      yield "b";
    };
    const open = () => openTestRuntime({ run, store, clock, bus, settings });
    const dies = await open();
    await using watches = await open();
    await clock.advance(2 * second);
    const { id } = taskOf(await dies.service.sendMessage(sayAndLeave("go"), call()));
    const watched = watchInBackground(watches.service.subscribeToTask({ id }, call()));
    await settle();
    gate.resolve();
    await settle();
    dies.freeze();
    const texts = () => JSON.stringify(watched.events);
    // The lease of the other lasts for 6 s, and polls are 15 s apart at least. Nobody takes over a task that has ended.
    await clock.advance(4 * second);
    expect(texts()).not.toContain('"b"');
    await clock.advance(4 * second);
    expect(texts()).toContain('"b"');
  });

  it("are read again when the bus takes longer to listen than the store to answer", async () => {
    const { late, listens } = createLateBus();
    await using cluster = await openWatching(late, true, 3);
    cluster.gate.resolve();
    await settle();
    expect(cluster.areOver()).toBe(false);
    listens.resolve();
    await until(cluster.areOver, "the streams to end");
  });

  it("are not read while the store knows that no other process has written", async () => {
    await using cluster = await openWatching(createInProcessBus(), true, 3);
    let version = 1;
    cluster.watches.store.foreignVersion = async () => version;
    const reads = countReads(cluster.watches, () => cluster.clock.now());
    await cluster.clock.advance(10 * second);
    expect(reads).toEqual([1, 1, 1]);
    version = 2;
    await cluster.clock.advance(10 * second);
    expect(reads).toEqual([1, 1, 1, 11, 11, 11]);
  });

  it("hear what another node wrote between their first write and the bus", async () => {
    const { late, listens } = createLateBus();
    const clock = createTestClock();
    const store = { ...createMemoryStore({ clock }), isShared: true };
    const run: Handler = async ({ nextMessage }) => `heard ${textIn((await nextMessage()).parts)}`;
    const settings = { leaseMs: 1000 * second };
    await using runs = await openTestRuntime({ run, store, clock, bus: late, settings });
    await using tells = await openTestRuntime({ run, store, clock, bus: late, settings });
    const task = taskOf(await runs.service.sendMessage(sayAndLeave("go"), call()));
    await tells.service.sendMessage(sayAndLeave("news", { taskId: task.id }), call());
    listens.resolve();
    const answer = async (): Promise<string | undefined> =>
      artifactText(await tells.service.getTask({ id: task.id }, call()));
    await until(async () => (await answer()) === "heard news", "the answer");
  });
});
