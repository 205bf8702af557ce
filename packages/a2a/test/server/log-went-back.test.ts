import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import type { Append, Claim, LogEvent, Store } from "../../src/store/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import type { TestClock } from "../../src/testing/index.js";
import { call, openTestRuntime, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { artifactText, refusal, stateOf, taskOf } from "../support/runtime/answers.js";
import { watchInBackground } from "../support/streams.js";
import { settle, until } from "../support/time/until.js";

const leaseMs = 12_000;

/** A store whose standby takes over and has lost the latest writes: all that came after `lag`. */
function createStandby(clock: TestClock) {
  const kept: ((store: Store) => Promise<unknown>)[] = [];
  let current = createMemoryStore({ clock });
  let isLagging = false;
  const write = (name: "append" | "claim", value: Append | Claim): Promise<unknown> => {
    const apply = (store: Store): Promise<unknown> =>
      name === "append" ? store.append(value as Append) : store.claim(value as Claim);
    if (!isLagging) kept.push(apply);
    return apply(current);
  };
  const store = new Proxy(current, {
    get(_, name) {
      if (name === "append" || name === "claim") return (value: Append) => write(name, value);
      const member: unknown = Reflect.get(current, name);
      return typeof member === "function" ? member.bind(current) : member;
    },
  });
  return {
    store,
    /** What is written from now on is lost. */
    lag: () => void (isLagging = true),
    failOver: async (): Promise<void> => {
      const standby = createMemoryStore({ clock });
      for (const node of await current.listNodes())
        await standby.renewNode(node.node, leaseMs, node);
      for (const apply of kept) await apply(standby);
      current = standby;
      isLagging = false;
    },
  };
}

/** The sequence of the last entry of a log. */
async function endOf(store: Store, taskId: string): Promise<number> {
  return (await store.loadRecord(taskId))?.sequence ?? 0;
}

async function open(run: Handler, { durable = true } = {}) {
  const clock = createTestClock();
  const { store, lag, failOver } = createStandby(clock);
  const bus = createInProcessBus();
  const node = await openTestRuntime({ run, store, clock, bus, durable, settings: { leaseMs } });
  const close = async (): Promise<void> => node[Symbol.asyncDispose]();
  return { ...node, node, store, clock, lag, failOver, [Symbol.asyncDispose]: close };
}

describe("when a failover of the store has lost the end of a log", () => {
  it.each([
    ["the run writes", true],
    ["nobody writes, and the task is polled", false],
  ])(
    "watchers are told to ask again, and the task goes on from what is left: %s",
    async (_, writes) => {
      const signals: AbortSignal[] = [];
      let go = (): void => undefined;
      await using cluster = await open(async function* ({ signal, step }) {
        signals.push(signal);
        const isFirst = signals.length === 1;
        yield "a ";
        await step("kept", () => 1);
        if (isFirst) await new Promise<void>((resolve) => (go = resolve));
        yield "b ";
        if (isFirst) await new Promise<void>((resolve) => (go = resolve));
        yield "c";
      });
      const { service, clock } = cluster;
      const { id } = taskOf(await service.sendMessage(sayAndLeave("go"), call()));
      await until(async () =>
        (await cluster.store.read(id, 0, 100)).some(({ event }) => event.kind === "step-recorded"),
      );
      const watching = watchInBackground(service.subscribeToTask({ id }, call()));
      watching.done.catch(() => undefined);
      await settle();
      cluster.lag();
      go();
      await until(() => watching.events.length === 2, "b");
      await cluster.failOver();
      if (writes) go();
      else await clock.advance(31_000);
      await until(() => watching.isOver, "the watcher to be told");
      expect((await refusal(watching.done)).code).toBe("UNAVAILABLE");
      expect(signals[0]?.aborted).toBe(true);
      await clock.advance(leaseMs / 2);
      const task = await service.getTask({ id }, call());
      expect([stateOf(task), artifactText(task)]).toEqual(["completed", "a b c"]);
      expect(cluster.reports.map(({ error }) => String(error))).toEqual([
        expect.stringContaining("the store has lost the latest entries"),
      ]);
      expect(cluster.watched).toBe(0);
    },
  );

  it.each([
    ["its run writes", true],
    ["nobody writes, and it is polled", false],
  ])("a task that is lost altogether ends for its watchers and its run: %s", async (_, writes) => {
    const signals: AbortSignal[] = [];
    let go = (): void => undefined;
    await using cluster = await open(async function* ({ signal }) {
      signals.push(signal);
      yield "a ";
      await new Promise<void>((resolve) => (go = resolve));
      yield "b";
    });
    const { service, clock } = cluster;
    cluster.lag();
    const { id } = taskOf(await service.sendMessage(sayAndLeave("go"), call()));
    const watching = watchInBackground(service.subscribeToTask({ id }, call()));
    watching.done.catch(() => undefined);
    await until(() => watching.events.length > 0, "the task");
    await cluster.failOver();
    if (writes) go();
    else await clock.advance(31_000);
    await until(() => watching.isOver, "the watcher to be told");
    expect((await refusal(watching.done)).code).toBe("TASK_NOT_FOUND");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect((await refusal(service.getTask({ id }, call()))).code).toBe("TASK_NOT_FOUND");
    expect(cluster.watched).toBe(0);
  });

  it("watchers are told to ask again when another node has ended the task at the same length", async () => {
    let go = (): void => undefined;
    await using cluster = await open(async function* () {
      yield "a ";
      await new Promise<void>((resolve) => (go = resolve));
      yield "b";
      await new Promise(() => undefined);
    });
    const { service, clock, store } = cluster;
    const { id } = taskOf(await service.sendMessage(sayAndLeave("go"), call()));
    const watching = watchInBackground(service.subscribeToTask({ id }, call()));
    watching.done.catch(() => undefined);
    await until(() => watching.events.length > 0, "the task");
    await settle();
    const sequence = await endOf(store, id);
    cluster.lag();
    go();
    await until(async () => (await endOf(store, id)) === sequence + 1, "b");
    await cluster.failOver();
    expect(await store.claim({ taskId: id, node: "other", epoch: 1 })).toBe(2);
    const at = clock.now();
    const timestamp = new Date(at).toISOString();
    await store.append({
      taskId: id,
      expectedSequence: sequence,
      epoch: 2,
      status: { state: "TASK_STATE_FAILED", at },
      events: [{ kind: "status-changed", status: { state: "TASK_STATE_FAILED", timestamp } }],
    });
    await clock.advance(31_000);
    await until(() => watching.isOver, "the watcher to be told");
    expect((await refusal(watching.done)).code).toBe("UNAVAILABLE");
    expect(stateOf(await service.getTask({ id }, call()))).toBe("failed");
    expect(cluster.watched).toBe(0);
  });

  const kept = { messageId: "kept", role: "ROLE_USER", parts: [{ text: "kept" }] } as const;
  it.each<[string, { event: LogEvent; answered: string[]; state: string }]>([
    [
      "the next message is answered",
      {
        event: { kind: "message-added", message: kept },
        answered: ["go", "kept"],
        state: "completed",
      },
    ],
    [
      "the task fails when there is none",
      { event: { kind: "cancel-requested" }, answered: ["go"], state: "failed" },
    ],
  ])("a run whose message is lost is passed over: %s", async (_, { event, answered, state }) => {
    const seen: string[] = [];
    let go = (): void => undefined;
    await using cluster = await open(async function* ({ text }) {
      seen.push(text);
      yield `${text} `;
      if (text === "go") await new Promise<void>((resolve) => (go = resolve));
    });
    const { service, clock, store } = cluster;
    const { id: taskId } = taskOf(await service.sendMessage(sayAndLeave("go"), call()));
    await until(() => seen.length === 1, "the run");
    await settle();
    cluster.lag();
    await service.sendMessage(sayAndLeave("lost", { taskId }), call());
    await cluster.failOver();
    // Another node writes in the place of the lost message, so that nothing shows the loss.
    await store.append({ taskId, epoch: 1, events: [event], whileStates: ["TASK_STATE_WORKING"] });
    go();
    await until(async () => {
      await clock.advance(1000);
      return stateOf(await service.getTask({ id: taskId }, call())) === state;
    }, state);
    expect(seen).toEqual(answered);
    expect(cluster.reports).toEqual([]);
  });

  it("a run ends whose task another node has ended under the same epoch", async () => {
    const signals: AbortSignal[] = [];
    await using cluster = await open(async function* ({ signal, nextMessage }) {
      signals.push(signal);
      yield "a ";
      await nextMessage();
    });
    const { service, store, bus, clock } = cluster;
    const { id: taskId } = taskOf(await service.sendMessage(sayAndLeave("go"), call()));
    await until(() => signals.length === 1, "the run");
    await settle();
    // The failover has lost the claim of this node, so that the next one got the same epoch.
    const at = clock.now();
    const status = { state: "TASK_STATE_FAILED", timestamp: new Date(at).toISOString() } as const;
    const { sequence } = await store.append({
      taskId,
      epoch: 1,
      whileStates: ["TASK_STATE_WORKING"],
      status: { state: "TASK_STATE_FAILED", at },
      events: [{ kind: "status-changed", status }],
    });
    bus.publish(taskId, sequence);
    await until(() => signals[0]?.aborted === true, "the run to be aborted");
    await settle();
    expect(service.figures().runs.tasks.working).toBe(0);
    expect(cluster.watched).toBe(0);
  });

  it.each([
    ["nobody says anything", false],
    ["its node takes a message before it has noticed", true],
  ])("a handler whose question is lost begins again: %s", async (_, isSpokenTo) => {
    let begun = 0;
    let go = (): void => undefined;
    await using cluster = await open(async function* ({ ask }) {
      begun += 1;
      yield "a ";
      if (begun === 1) await new Promise<void>((resolve) => (go = resolve));
      yield textOf(await ask("?"));
    });
    const { service, clock } = cluster;
    const { id: taskId } = taskOf(await service.sendMessage(sayAndLeave("go"), call()));
    await settle();
    cluster.lag();
    go();
    await until(() => service.figures().suspended.waiting === 1, "the question");
    await cluster.failOver();
    // The log is shorter than what the handler knows even with this.
    if (isSpokenTo) await service.sendMessage(sayAndLeave("hello", { taskId }), call());
    await clock.advance(leaseMs);
    expect(begun).toBe(2);
    await service.sendMessage(sayAndLeave("yes", { taskId }), call());
    const answer = async (): Promise<string | undefined> =>
      artifactText(await service.getTask({ id: taskId }, call()));
    await until(async () => (await answer())?.startsWith("a yes") === true, "the answer");
  });
});
