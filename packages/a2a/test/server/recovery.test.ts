import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler, RuntimeSettings } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { artifactText, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";
import { watchInBackground } from "../support/streams.js";

const leaseMs = 12_000;

/** Nodes over one store, one bus and one clock. */
function createCluster({ durable, ...settings }: Partial<RuntimeSettings> & { durable: boolean }) {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const open = (run: Handler): Promise<TestRuntime> =>
    openTestRuntime({ run, store, clock, bus, durable, settings: { leaseMs, ...settings } });
  return { store, clock, open };
}

async function begin({ service }: TestRuntime, text = "go"): Promise<string> {
  return taskOf(await service.sendMessage(sayAndLeave(text), call())).id;
}

const never = (): Promise<never> => new Promise(() => undefined);

describe("when a node dies", () => {
  it("an agent that does not resume has its task closed within a lease, with the reason", async () => {
    const cluster = createCluster({ durable: false });
    const run: Handler = async function* () {
      yield "begun";
      await never();
    };
    await using one = await cluster.open(run);
    await using two = await cluster.open(run);
    const id = await begin(one);
    const watching = watchInBackground(two.service.subscribeToTask({ id }, call()));
    await settle();
    one.freeze();
    await cluster.clock.advance(leaseMs / 2);
    expect(watching.isOver).toBe(false);
    await cluster.clock.advance(leaseMs / 2);
    expect(watching.isOver).toBe(true);
    const task = await two.service.getTask({ id }, call());
    expect(stateOf(task)).toBe("failed");
    expect(textIn(task.status.message?.parts ?? [])).toMatch(/stopped before it was done/);
    expect(artifactText(task)).toBe("begun");
    expect(two.reports).toEqual([]);
    expect(two.watched).toBe(0);
  });

  it("a durable agent goes on elsewhere, with the steps it took and the words it said", async () => {
    const cluster = createCluster({ durable: true });
    const gate = createDeferred<void>();
    const effects: string[] = [];
    const signals: AbortSignal[] = [];
    const runOn = (node: string): Handler =>
      async function* ({ step, signal }) {
        signals.push(signal);
        yield "a";
        yield { status: "first" };
        const first = await step("first", () => effects.push(`${node} first`));
        yield `b${first}`;
        if (node === "one") await gate.promise;
        yield "c";
        await step("second", () => effects.push(`${node} second`));
      };
    await using one = await cluster.open(runOn("one"));
    const id = await begin(one);
    await until(() => effects.length === 1);
    await settle();
    one.freeze();
    await cluster.clock.advance(leaseMs);
    await using two = await cluster.open(runOn("two"));
    const done = async () => stateOf(await two.service.getTask({ id }, call())) === "completed";
    await until(done, "the task to be completed");
    const task = await two.service.getTask({ id }, call());
    expect(artifactText(task)).toBe("ab1c");
    expect(task.history?.map(({ parts }) => textIn(parts))).toEqual(["go", "first"]);
    expect(effects).toEqual(["one first", "two second"]);

    // The first node comes back to life and finds that it has lost the task.
    const before = await cluster.store.load(id);
    one.thaw();
    await settle();
    gate.resolve();
    await cluster.clock.advance(1000);
    expect(await cluster.store.load(id)).toEqual(before);
    expect(effects).toEqual(["one first", "two second"]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(one.reports).toEqual([]);
    expect([one.watched, two.watched]).toEqual([0, 0]);
  });

  it("a run that goes on before it hears of that writes nothing, and reports nothing", async () => {
    const cluster = createCluster({ durable: true });
    const gate = createDeferred<void>();
    const runOn = (node: string): Handler =>
      async function* ({ step }) {
        yield "a";
        if (node === "one") await gate.promise;
        yield `b of ${node}`;
        await step("c", () => node);
        yield { status: node };
      };
    await using one = await cluster.open(runOn("one"));
    const id = await begin(one);
    one.freeze();
    await cluster.clock.advance(leaseMs);
    await using two = await cluster.open(runOn("two"));
    await until(async () => stateOf(await two.service.getTask({ id }, call())) === "completed");
    const before = await cluster.store.load(id);
    gate.resolve();
    await settle();
    one.thaw();
    await cluster.clock.advance(1000);
    expect(await cluster.store.load(id)).toEqual(before);
    expect(JSON.stringify(before)).not.toContain("b of one");
    expect(one.reports).toEqual([]);
    expect(one.watched).toBe(0);
  });

  it("a run that does nothing hears that its task was taken over when its node is back", async () => {
    const cluster = createCluster({ durable: true });
    const signals: AbortSignal[] = [];
    const run: Handler = async function* ({ signal }) {
      signals.push(signal);
      yield "begun";
      await never();
    };
    await using one = await cluster.open(run);
    await begin(one);
    await settle();
    one.freeze();
    await using two = await cluster.open(run);
    await cluster.clock.advance(leaseMs);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    one.thaw();
    await settle();
    await settle();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(one.watched).toBe(0);
    two.freeze();
  });

  it("a node that was only held up goes on with its tasks, and starts none of them twice", async () => {
    const cluster = createCluster({ durable: true });
    const gate = createDeferred<void>();
    let starts = 0;
    await using one = await cluster.open(async function* () {
      starts += 1;
      yield "a";
      await gate.promise;
      yield "b";
    });
    const id = await begin(one);
    await settle();
    one.freeze();
    await cluster.clock.advance(10 * leaseMs);
    one.thaw();
    await cluster.clock.advance(leaseMs);
    gate.resolve();
    await settle();
    const task = await one.service.getTask({ id }, call());
    expect([stateOf(task), artifactText(task), starts]).toEqual(["completed", "ab", 1]);
  });

  it("a node whose lease has run out before it could renew it takes none of its own tasks over", async () => {
    const cluster = createCluster({ durable: true });
    let starts = 0;
    await using one = await cluster.open(async function* () {
      starts += 1;
      yield "a";
      await never();
    });
    await begin(one);
    const gate = createDeferred<void>();
    const stop = intercept(cluster.store, "renewNode", () => gate.promise);
    await cluster.clock.advance(3 * leaseMs);
    expect(starts).toBe(1);
    stop();
    gate.resolve();
    await cluster.clock.advance(leaseMs);
    expect(starts).toBe(1);
  });

  it("a message in the inbox waits for the run it was sent to, and is dealt with", async () => {
    const cluster = createCluster({ durable: true });
    const gate = createDeferred<void>();
    const runOn = (node: string): Handler =>
      async function* ({ text, step, nextMessage }) {
        yield `${text}:`;
        if (text !== "go") return;
        await step("a", () => node);
        if (node === "one") await gate.promise;
        yield textOf(await nextMessage());
      };
    await using one = await cluster.open(runOn("one"));
    const taskId = await begin(one);
    await one.service.sendMessage(sayAndLeave("x", { taskId }), call());
    await one.service.sendMessage(sayAndLeave("y", { taskId }), call());
    one.freeze();
    await cluster.clock.advance(leaseMs);
    await using two = await cluster.open(runOn("two"));
    const done = async () =>
      stateOf(await two.service.getTask({ id: taskId }, call())) === "completed";
    await until(done, "the task to be completed");
    const task = await two.service.getTask({ id: taskId }, call());
    expect(task.artifacts?.map(({ parts }) => textIn(parts))).toEqual(["go:x", "y:"]);
  });

  it("a wish to cancel is not forgotten", async () => {
    const cluster = createCluster({ durable: true, cancelGraceMs: 10 * leaseMs });
    let starts = 0;
    const run: Handler = async function* () {
      starts += 1;
      yield "begun";
      await never();
    };
    await using one = await cluster.open(run);
    const id = await begin(one);
    void one.service.cancelTask({ id }, call()).catch(() => undefined);
    await settle();
    one.freeze();
    await using two = await cluster.open(run);
    await cluster.clock.advance(leaseMs);
    expect(stateOf(await two.service.getTask({ id }, call()))).toBe("canceled");
    expect(starts).toBe(1);
    expect(two.watched).toBe(0);
  });

  it("a run that had not begun to work begins elsewhere", async () => {
    const cluster = createCluster({ durable: true, maxConcurrentRuns: 1 });
    await using one = await cluster.open(() => never());
    const sends = ["first", "second", "third"].map((text) =>
      one.service.sendMessage(sayAndLeave(text), call()),
    );
    await cluster.clock.advance(100);
    const ids = (await Promise.all(sends)).map((sent) => taskOf(sent).id);
    const states = async (at: TestRuntime) =>
      Promise.all(ids.map(async (id) => stateOf(await at.service.getTask({ id }, call()))));
    expect(await states(one)).toEqual(["working", "working", "submitted"]);
    one.freeze();
    await cluster.clock.advance(leaseMs);
    await using two = await cluster.open(({ text }) => `${text} done`);
    await until(async () => (await states(two)).every((state) => state === "completed"));
  });

  it("everything it left is recovered, in batches and by whoever is there", async () => {
    const cluster = createCluster({ durable: true });
    const [opened, ids] = await openWithTasks(cluster, 100);
    await using one = opened;
    one.freeze();
    const runs = new Map<string, number>();
    const run: Handler = async function* ({ taskId }) {
      runs.set(taskId, (runs.get(taskId) ?? 0) + 1);
      yield "begun";
      await settle();
      yield " again";
    };
    await using two = await cluster.open(run);
    await using three = await cluster.open(run);
    await cluster.clock.advance(leaseMs);
    const read = () => Promise.all(ids.map((id) => three.service.getTask({ id }, call())));
    await until(async () => (await read()).every((task) => stateOf(task) === "completed"));
    for (const task of await read()) expect(artifactText(task)).toBe("begun again");
    expect([...runs.values()].every((count) => count === 1)).toBe(true);
    expect([two.watched, three.watched]).toEqual([0, 0]);
  });
});

/** Opens a node with tasks that it never comes to an end with. */
async function openWithTasks(
  cluster: ReturnType<typeof createCluster>,
  count: number,
): Promise<[node: TestRuntime, ids: readonly string[]]> {
  const node = await cluster.open(async function* () {
    yield "begun";
    await never();
  });
  const ids: string[] = [];
  while (ids.length < count) ids.push(await begin(node));
  return [node, ids];
}

it("a node that starts among others serves at once, and takes over the rest of a long list meanwhile", async () => {
  const cluster = createCluster({ durable: true });
  const [opened, ids] = await openWithTasks(cluster, 100);
  await using one = opened;
  const [left] = await cluster.store.listNodes();
  const two = await cluster.open(() => never());
  one.freeze();
  two.freeze();
  await cluster.store.releaseNode(left?.node ?? "");
  // No time passes while it opens, so it pauses for nobody.
  await using three = await cluster.open(async function* () {
    yield "begun";
    yield " again";
  });
  const isCompleted = async (id: string): Promise<boolean> =>
    stateOf(await three.service.getTask({ id }, call())) === "completed";
  const completed = async (): Promise<number> =>
    (await Promise.all(ids.map(isCompleted))).filter(Boolean).length;
  await until(async () => (await completed()) === 32, "the first batch to be recovered");
  await settle();
  expect(await completed(), "while the others have time to take some").toBe(32);
  await cluster.clock.advance(leaseMs / 8);
  expect(await completed()).toBe(100);
});

describe("when an agent's code has changed under a task", () => {
  it.each<[string, Handler, string]>([
    ["another step", ({ step }) => step("new name", () => "y"), "y"],
    [
      "an output in place of a step",
      async function* () {
        yield "z";
      },
      "z",
    ],
    [
      "a question in other words, and more before it",
      async function* ({ step, ask }) {
        yield "more, ";
        const x = await step("old name", () => "y");
        yield `${x} and ${await step("new name", () => "z")} and ${textIn((await ask("Well?")).parts)}`;
      },
      "more, x and z and on",
    ],
  ])("the task goes on with what is recorded: %s", async (_, changed, answer) => {
    const cluster = createCluster({ durable: true });
    await using one = await cluster.open(async ({ step, ask }) => {
      await step("old name", () => "x");
      await ask("?");
    });
    const { id: taskId } = taskOf(await one.service.sendMessage(say("go"), call()));
    await one.service.close();
    await using two = await cluster.open(changed);
    const task = taskOf(await two.service.sendMessage(say("on", { taskId }), call()));
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", answer]);
    const rephrased = answer.includes("on") ? ['question 1 was asked as "?"'] : [];
    expect(two.reports.map(({ error }) => String(error))).toEqual(
      rephrased.map((words) => expect.stringContaining(words) as string),
    );
  });
});
