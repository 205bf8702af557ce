import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { artifactText, stateOf, taskOf } from "../support/runtime/answers.js";
import { watchInBackground } from "../support/streams.js";
import { settle, until } from "../support/time/until.js";

const leaseMs = 12_000;

/** Nodes whose beats are a lease apart at least, as far as a test advances the clock: they hear each other or nothing. */
function createCluster({ durable = true } = {}) {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const open = (run: Handler): Promise<TestRuntime> =>
    openTestRuntime({ run, store, clock, bus, durable, settings: { leaseMs } });
  return { clock, store, bus, open };
}

/** Begins on one node, and ends where another one goes on. */
const endsOn = (isLast: boolean): Handler =>
  async function* () {
    yield "begun";
    if (!isLast) await new Promise(() => undefined);
    yield " and done";
  };

async function begin({ service }: TestRuntime): Promise<string> {
  return taskOf(await service.sendMessage(sayAndLeave("go"), call())).id;
}

describe("a node that is to be drained", () => {
  it("hands over its runs at once, keeps its lease and answers on", async () => {
    const cluster = createCluster();
    await using one = await cluster.open(endsOn(false));
    const [{ node } = { node: "" }] = await cluster.store.listNodes();
    await using two = await cluster.open(endsOn(true));
    await cluster.clock.advance(leaseMs / 4);
    const ids = [await begin(one), await begin(one)];
    const [first = ""] = ids;
    const watching = watchInBackground(one.service.subscribeToTask({ id: first }, call()));
    await one.service.check();
    const before = cluster.clock.now();
    await cluster.store.setDraining(node, true);
    cluster.bus.publishTopic("drain", node);
    await until(async () => {
      const records = await Promise.all(ids.map((id) => cluster.store.loadRecord(id)));
      return records.every((record) => record?.state === "TASK_STATE_COMPLETED");
    }, "the tasks to be completed elsewhere");
    expect(cluster.clock.now(), "no time has passed").toBe(before);
    await watching.done;
    expect(artifactText(await one.service.getTask({ id: first }, call()))).toBe("begun and done");
    expect(one.service.figures().isDraining).toBe(true);
    await expect(one.service.check()).rejects.toThrow("an operator has asked this node to stop");
    expect(await cluster.store.isLive(node)).toBe(true);
    expect([...one.reports, ...two.reports]).toEqual([]);
    expect([one.watched, two.watched]).toEqual([0, 0]);
  });

  it("learns it from its next renewal where no bus tells it", async () => {
    const cluster = createCluster();
    await using one = await cluster.open(endsOn(false));
    const [{ node } = { node: "" }] = await cluster.store.listNodes();
    await using two = await cluster.open(endsOn(true));
    await cluster.clock.advance(leaseMs / 4);
    const id = await begin(one);
    await cluster.store.setDraining(node, true);
    await cluster.clock.advance(leaseMs / 4);
    await settle();
    expect(stateOf(await two.service.getTask({ id }, call()))).toBe("completed");
  });

  it("takes over nothing, until the mark is taken back", async () => {
    const cluster = createCluster();
    await using drained = await cluster.open(endsOn(true));
    const [{ node } = { node: "" }] = await cluster.store.listNodes();
    await cluster.store.setDraining(node, true);
    await cluster.clock.advance(leaseMs / 4);
    const dies = await cluster.open(endsOn(false));
    const id = await begin(dies);
    dies.freeze();
    await cluster.clock.advance(3 * leaseMs);
    expect((await cluster.store.loadRecord(id))?.epoch).toBe(1);
    await cluster.store.setDraining(node, false);
    await cluster.clock.advance(leaseMs / 2);
    expect(stateOf(await drained.service.getTask({ id }, call()))).toBe("completed");
  });

  it("lets the runs of an agent that is not durable finish, and those that nobody could go on with", async () => {
    for (const durable of [false, true]) {
      const cluster = createCluster({ durable });
      let go = (): void => undefined;
      await using one = await cluster.open(async function* () {
        yield "begun";
        await new Promise<void>((resolve) => (go = resolve));
        yield " and done";
      });
      const [{ node } = { node: "" }] = await cluster.store.listNodes();
      if (!durable) await cluster.open(endsOn(true));
      const id = await begin(one);
      await cluster.store.setDraining(node, true);
      await cluster.clock.advance(leaseMs / 4);
      expect(one.service.figures().isDraining).toBe(true);
      go();
      await settle();
      const task = await one.service.getTask({ id }, call());
      expect([stateOf(task), artifactText(task)]).toEqual(["completed", "begun and done"]);
    }
  });
});

describe("a node that closes", () => {
  it("hands over the runs of a durable agent at once where others can go on, and lets replies finish", async () => {
    const cluster = createCluster();
    let reply = (): void => undefined;
    await using one = await cluster.open(async function* (context) {
      if (context.text === "reply") {
        await new Promise<void>((resolve) => (reply = resolve));
        return "here you are";
      }
      return yield* endsOn(false)(context) as AsyncGenerator<string, undefined>;
    });
    await using two = await cluster.open(endsOn(true));
    await cluster.clock.advance(leaseMs / 4);
    const id = await begin(one);
    const asked = one.service.sendMessage(say("reply"), call());
    await settle();
    const before = cluster.clock.now();
    const closing = one.service.close();
    await until(async () => stateOf(await two.service.getTask({ id }, call())) === "completed");
    expect(cluster.clock.now(), "no time has passed").toBe(before);
    reply();
    expect((await asked).message?.parts).toEqual([{ text: "here you are" }]);
    await closing;
    expect(cluster.clock.now()).toBe(before);
    expect([...one.reports, ...two.reports]).toEqual([]);
  });

  it("tells the others when its time is over, and they go on at once with what is left", async () => {
    const cluster = createCluster({ durable: false });
    await using one = await cluster.open(endsOn(false));
    await using two = await cluster.open(endsOn(true));
    const id = await begin(one);
    const closing = one.service.close();
    // The last beat of the other node is just before the end of the grace.
    await cluster.clock.advance(10_000);
    await closing;
    await until(async () => stateOf(await two.service.getTask({ id }, call())) === "failed");
    expect(cluster.clock.now() % (leaseMs / 4), "between two beats").not.toBe(0);
  });

  it("leaves a question whose answer another node takes at once", async () => {
    const cluster = createCluster();
    const run: Handler = async ({ ask }) => textOf(await ask("?"));
    await using one = await cluster.open(run);
    await using two = await cluster.open(run);
    const { id: taskId } = taskOf(await one.service.sendMessage(say("go"), call()));
    await one.service.close();
    const task = taskOf(await two.service.sendMessage(say("yes", { taskId }), call()));
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "yes"]);
  });
});

it("a node without a free slot takes over nothing, and leaves it to those that have one", async () => {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const open = (run: Handler, maxConcurrentRuns: number): Promise<TestRuntime> => {
    const settings = { leaseMs, maxConcurrentRuns };
    return openTestRuntime({ run, store, clock, bus, durable: true, settings });
  };
  const begun = { busy: 0, free: 0 };
  const hangs = (node: "busy" | "free"): Handler =>
    async function* () {
      begun[node] += 1;
      yield "x";
      await new Promise(() => undefined);
    };
  const dies = await open(hangs("free"), 100);
  await using busy = await open(hangs("busy"), 1);
  await begin(busy);
  for (let count = 0; count < 10; count += 1) await begin(dies);
  begun.free = 0;
  dies.freeze();
  await clock.advance(leaseMs / 2);
  await using free = await open(hangs("free"), 100);
  await clock.advance(leaseMs / 2);
  await settle();
  expect(begun).toEqual({ busy: 1, free: 10 });
  expect(busy.service.figures().runs.waiting).toBe(0);
  expect(free.reports).toEqual([]);
});
