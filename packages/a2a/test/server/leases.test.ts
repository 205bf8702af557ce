import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import { version } from "../../src/server/version.js";
import type { ClaimTerms } from "../../src/store/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime, TestRuntimeOptions } from "../support/runtime/open-test-runtime.js";
import { artifactText, stateOf, taskOf } from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";

const leaseMs = 12_000;

/** Nodes over one store, which can be made to fail for all of them or for one. */
function createCluster({ durable }: { durable: boolean }) {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const failing = new Set<string>();
  const open = (run: Handler, options: Partial<TestRuntimeOptions> = {}): Promise<TestRuntime> => {
    const name = options.address ?? "node";
    const cut = new Proxy(store, {
      get(target, method) {
        const member: unknown = Reflect.get(target, method);
        if (typeof member !== "function") return member;
        return (...args: unknown[]): unknown =>
          failing.has(name) || failing.has("all")
            ? Promise.reject(new Error("the connection is refused"))
            : Reflect.apply(member, target, args);
      },
    });
    const settings = { leaseMs, stopGraceMs: 0 };
    return openTestRuntime({ run, store: cut, clock, bus, durable, settings, ...options });
  };
  return { clock, store, bus, failing, open };
}

async function begin({ service }: TestRuntime): Promise<string> {
  return taskOf(await service.sendMessage(sayAndLeave("go"), call())).id;
}

const hangs: Handler = async function* () {
  yield "begun";
  await new Promise(() => undefined);
};

describe("a node", () => {
  it("tells operators what it is, and has the version of the package", async () => {
    const cluster = createCluster({ durable: true });
    await using node = await cluster.open(hangs, { version: "7", address: "http://10.0.0.1" });
    const [record] = await cluster.store.listNodes();
    expect(record).toMatchObject({
      agent: "Tested",
      revision: "7",
      version,
      address: "http://10.0.0.1",
    });
    const manifest = new URL("../../package.json", import.meta.url);
    expect(JSON.parse(await readFile(manifest, "utf8"))).toMatchObject({ version });
    expect(node.service.figures()).toMatchObject({ nodes: 1, isDraining: false });
    await using other = await cluster.open(hangs);
    await cluster.clock.advance(leaseMs / 4);
    expect([node, other].map(({ service }) => service.figures().nodes)).toEqual([2, 2]);
  });

  it.each([
    [61_000, ["Error: this node's clock is 61000 ms ahead of the store's; set it by NTP"]],
    [-2000, ["Error: this node's clock is 2000 ms behind the store's; set it by NTP"]],
    [900, []],
  ])("whose clock differs by %i ms says so once, or not at all", async (offsetMs, said) => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock: { now: () => clock.now() - offsetMs } });
    await using node = await openTestRuntime({ run: hangs, store, clock, settings: { leaseMs } });
    await clock.advance(5 * leaseMs);
    expect(node.reports.map(({ error }) => String(error))).toEqual(said);
  });

  it("whose clock is a minute ahead or behind takes nothing from others that live", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const clockOff = (byMs: number) => ({ ...clock, now: () => clock.now() + byMs });
    const open = (byMs: number) =>
      openTestRuntime({ run: hangs, store, clock: clockOff(byMs), durable: true });
    await using ahead = await open(60_000);
    await using behind = await open(-60_000);
    const ids = [await begin(ahead), await begin(behind)];
    await clock.advance(120_000);
    const records = await Promise.all(ids.map((id) => store.loadRecord(id)));
    expect(records.map((record) => record?.epoch)).toEqual([1, 1]);
  });
});

describe("when a node cannot reach the store for longer than its lease", () => {
  it("it aborts the runs of a durable agent, is not ready, and another node goes on with them", async () => {
    const cluster = createCluster({ durable: true });
    const signals: AbortSignal[] = [];
    await using cut = await cluster.open(
      async function* ({ signal }) {
        signals.push(signal);
        yield "begun";
        await new Promise(() => undefined);
      },
      { address: "cut" },
    );
    await using other = await cluster.open(async function* () {
      yield "begun";
      yield " and done";
    });
    await cluster.clock.advance(leaseMs / 4);
    const id = await begin(cut);
    await cut.service.check();
    cluster.failing.add("cut");
    await cluster.clock.advance(leaseMs / 2 - 1);
    expect(
      signals.map(({ aborted }) => aborted),
      "while the lease may last",
    ).toEqual([false]);
    await cluster.clock.advance(leaseMs / 4 + 1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await expect(cut.service.check()).rejects.toThrow("lease");
    await cluster.clock.advance(leaseMs / 4);
    const task = await other.service.getTask({ id }, call());
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "begun and done"]);
    cluster.failing.clear();
    await cluster.clock.advance(leaseMs / 4);
    await cut.service.check();
    expect(signals.length, "the node does not begin again what another has").toBe(1);
  });

  it("it goes on with the runs of an agent that is not, since nobody repeats them", async () => {
    const cluster = createCluster({ durable: false });
    let isAborted = false;
    let go = (): void => undefined;
    await using cut = await cluster.open(
      async function* ({ signal }) {
        signal.addEventListener("abort", () => (isAborted = true));
        yield "begun";
        await new Promise<void>((resolve) => (go = resolve));
        yield " and done";
      },
      { address: "cut" },
    );
    const id = await begin(cut);
    cluster.failing.add("cut");
    await cluster.clock.advance(10 * leaseMs);
    expect(isAborted).toBe(false);
    cluster.failing.clear();
    go();
    await settle();
    await cluster.clock.advance(leaseMs / 4);
    const task = await cut.service.getTask({ id }, call());
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "begun and done"]);
  });

  it("it begins its runs again when nobody has taken them over", async () => {
    const cluster = createCluster({ durable: true });
    let attempts = 0;
    const run: Handler = async function* () {
      attempts += 1;
      yield "begun";
      if (attempts < 3) await new Promise(() => undefined);
      yield " and done";
    };
    await using one = await cluster.open(run);
    await using two = await cluster.open(run);
    await cluster.clock.advance(leaseMs / 4);
    const ids = [await begin(one), await begin(two)];
    cluster.failing.add("all");
    await cluster.clock.advance(5 * leaseMs);
    cluster.failing.clear();
    await cluster.clock.advance(leaseMs);
    const records = await Promise.all(ids.map((id) => cluster.store.loadRecord(id)));
    expect(records.map((record) => record?.state)).toEqual([
      "TASK_STATE_COMPLETED",
      "TASK_STATE_COMPLETED",
    ]);
    expect(attempts).toBe(4);
  });
});

it("when the store was away for longer than all leases, nobody takes another's tasks", async () => {
  const cluster = createCluster({ durable: false });
  let isOver = false;
  const run: Handler = async function* () {
    yield "begun";
    await until(() => isOver);
    yield " and done";
  };
  await using one = await cluster.open(run);
  await using two = await cluster.open(run);
  // Their beats are not at the same time.
  await cluster.clock.advance(leaseMs / 8);
  await using three = await cluster.open(run);
  const nodes = [one, two, three];
  const ids = await Promise.all(nodes.map(begin));
  cluster.failing.add("all");
  await cluster.clock.advance(3 * leaseMs);
  cluster.failing.clear();
  await cluster.clock.advance(3 * leaseMs);
  const records = await Promise.all(ids.map((id) => cluster.store.loadRecord(id)));
  expect(records.map((record) => [record?.state, record?.epoch])).toEqual(
    ids.map(() => ["TASK_STATE_WORKING", 1]),
  );
  isOver = true;
  await until(async () => {
    const states = await Promise.all(ids.map((id) => cluster.store.loadRecord(id)));
    return states.every((record) => record?.state === "TASK_STATE_COMPLETED");
  }, "all tasks to be completed");
});

describe("a node that starts when leases of others have ended", () => {
  /** One node works on a task until the store fails for longer than its lease; another starts when it is back. */
  async function startAfterOutage(durable: boolean, address: string) {
    const cluster = createCluster({ durable });
    const one = await cluster.open(hangs, { address: "http://10.0.0.1" });
    const id = await begin(one);
    cluster.failing.add("all");
    await cluster.clock.advance(2 * leaseMs + 10);
    cluster.failing.clear();
    const two = await cluster.open(hangs, { address });
    const epoch = async () => (await cluster.store.loadRecord(id))?.epoch;
    return { ...cluster, one, two, id, epoch };
  }

  it("takes nothing from a node that was cut off with it", async () => {
    const { clock, one, two, epoch } = await startAfterOutage(false, "http://10.0.0.2");
    await using _ = one;
    await using __ = two;
    expect(await epoch()).toBe(1);
    await clock.advance(3 * leaseMs);
    expect(await epoch()).toBe(1);
  });

  it("takes over the tasks of those that are not back after a lease", async () => {
    const { clock, one, two, epoch } = await startAfterOutage(true, "http://10.0.0.2");
    await using _ = two;
    one.freeze();
    await clock.advance(leaseMs - 1);
    expect(await epoch()).toBe(1);
    await clock.advance(leaseMs / 4 + 1);
    expect(await epoch()).toBe(2);
  });

  it("goes on at once with the tasks of its predecessor at the same address", async () => {
    const { one, two, epoch } = await startAfterOutage(true, "http://10.0.0.1");
    await using _ = two;
    one.freeze();
    await until(async () => (await epoch()) === 2);
  });

  it("takes what was handed over at once", async () => {
    const { one, two, store } = await startAfterOutage(true, "http://10.0.0.2");
    await using _ = one;
    await using __ = two;
    const left = await begin(one);
    const { sequence = 0 } = (await store.loadRecord(left)) ?? {};
    const handOver = { expectedSequence: sequence, epoch: 1, events: [], node: null };
    await store.append({ taskId: left, ...handOver });
    two.bus.publishTopic("abandoned", "Tested");
    const [node] = (await store.listNodes()).filter(({ address }) => address === "http://10.0.0.2");
    await until(async () => (await store.loadRecord(left))?.node === node?.node);
  });
});

it("a claim that waited for the store through an outage takes nothing from nodes that renew after it", async () => {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  /** Claims and renewals that wait for the store, claims first: these had been asked for when it failed. */
  let waiting: (() => void)[] | undefined;
  const patient = new Proxy(store, {
    get(target, method) {
      const member: unknown = Reflect.get(target, method);
      if (typeof member !== "function") return member;
      return async (...args: unknown[]): Promise<unknown> => {
        const asked = clock.now();
        const isClaim = method === "claimAbandoned";
        if (waiting !== undefined && (isClaim || method === "renewNode")) {
          await new Promise<void>((go) => (isClaim ? waiting?.unshift(go) : waiting?.push(go)));
        }
        const { withinMs = Infinity } = (args[3] ?? {}) as ClaimTerms;
        if (isClaim && clock.now() - asked > withinMs) return [];
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  const settings = { leaseMs, stopGraceMs: 0 };
  const open = (): Promise<TestRuntime> =>
    openTestRuntime({ run: hangs, store: patient, clock, bus, durable: false, settings });
  await using one = await open();
  await clock.advance(leaseMs / 5);
  await using two = await open();
  const ids = await Promise.all([one, two].map(begin));
  for (const share of [0.6, 0.7, 0.8, 3]) {
    waiting = [];
    await clock.advance(leaseMs * share);
    const calls: readonly (() => void)[] = waiting;
    waiting = undefined;
    for (const go of calls) go();
    // The next outage meets the beats at another moment.
    await clock.advance(2.05 * leaseMs);
  }
  const records = await Promise.all(ids.map((id) => store.loadRecord(id)));
  expect(records.map((record) => [record?.state, record?.epoch])).toEqual(
    ids.map(() => ["TASK_STATE_WORKING", 1]),
  );
});

it("a node that was late claims again after a lease", async () => {
  const cluster = createCluster({ durable: true });
  const dies = await cluster.open(hangs);
  await using late = await cluster.open(async function* () {
    yield "begun";
    yield " and done";
  });
  const id = await begin(dies);
  late.freeze();
  await cluster.clock.advance(2 * leaseMs);
  dies.freeze();
  late.thaw();
  await cluster.clock.advance(leaseMs / 4);
  // The other's lease is over soon, and this node could take its task.
  await cluster.clock.advance((leaseMs * 5) / 8);
  expect((await cluster.store.loadRecord(id))?.epoch).toBe(1);
  await cluster.clock.advance(leaseMs / 2);
  expect(stateOf(await late.service.getTask({ id }, call()))).toBe("completed");
});

it("a renewal that takes longer than the lease counts for nothing, and is tried again at once", async () => {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  await using node = await openTestRuntime({ run: hangs, store, clock, settings: { leaseMs } });
  let renewals = 0;
  let answer = (): void => undefined;
  const mend = intercept(store, "renewNode", () => {
    renewals += 1;
    return new Promise<void>((resolve) => (answer = resolve));
  });
  await clock.advance(2 * leaseMs);
  expect(renewals).toBe(1);
  await expect(node.service.check()).rejects.toThrow("lease");
  mend();
  answer();
  await until(
    async () =>
      node.service.check().then(
        () => true,
        () => false,
      ),
    "a lease",
  );
});
