import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Bus } from "../../src/bus/index.js";
import { credentialsUri } from "../../src/protocol/internal.js";
import type { JsonValue } from "../../src/protocol/internal.js";
import type { Handler, PushSender } from "../../src/server/index.js";
import type { Store } from "../../src/store/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import type { TestClock } from "../../src/testing/index.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import {
  artifactText,
  describeEvents,
  stateOf,
  taskOf,
  textIn,
} from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";
import { watchInBackground } from "../support/streams.js";

const waiting = "TASK_STATE_INPUT_REQUIRED";

/** Two nodes over one store. Those without a bus between them hear of each other by looking, by the clock. */
async function openNodes(
  run: Handler,
  buses: "one bus" | "no bus between them",
  pushSender?: PushSender,
) {
  const clock = createTestClock();
  // The bus of a process wakes its own nodes only, and nodes know when others use the same store.
  const store = { ...createMemoryStore({ clock }), isShared: buses === "no bus between them" };
  const shared = createInProcessBus();
  const busOf = (): Bus => (buses === "one bus" ? shared : createInProcessBus());
  const settings = { leaseMs: 600_000, cancelGraceMs: 5000 };
  const open = () =>
    openTestRuntime({
      run,
      store,
      clock,
      settings,
      bus: busOf(),
      ...(pushSender && { pushSender, capabilities: { pushNotifications: true } }),
    });
  const [one, two] = [await open(), await open()];
  /** Lets news arrive. */
  const hear = (): Promise<void> => (buses === "one bus" ? settle() : clock.advance(2000));
  const close = async (): Promise<void> => {
    await one[Symbol.asyncDispose]();
    await two[Symbol.asyncDispose]();
  };
  return { one, two, clock, hear, [Symbol.asyncDispose]: close };
}

describe.each(["one bus", "no bus between them"] as const)("two nodes with %s", (buses) => {
  it("show the same stream of a task that one of them runs", async () => {
    const gate = createDeferred<void>();
    await using nodes = await openNodes(async function* () {
      yield "a";
      await gate.promise;
      for (let count = 0; count < 50; count += 1) yield `${count} `;
    }, buses);
    const here = watchInBackground(nodes.one.service.sendStreamingMessage(say("go"), call()));
    await until(() => here.events.length === 3, "the first word");
    const id = here.events[0]?.response.task?.id ?? "";
    const there = watchInBackground(nodes.two.service.subscribeToTask({ id }, call()));
    await until(() => there.events.length === 1, "the task");
    gate.resolve();
    await until(async () => {
      await nodes.hear();
      return here.isOver && there.isOver;
    }, "both streams to end");
    expect(there.events.slice(1)).toEqual(here.events.slice(3));
    expect([nodes.one.watched, nodes.two.watched]).toEqual([0, 0]);
  });

  it("deliver a message to the run at the other", async () => {
    await using nodes = await openNodes(async function* ({ nextMessage }) {
      yield "waiting ";
      yield textIn((await nextMessage()).parts);
    }, buses);
    const { id: taskId } = taskOf(await nodes.one.service.sendMessage(sayAndLeave("go"), call()));
    const answer = nodes.two.service.sendMessage(say("news", { taskId }), call());
    await nodes.hear();
    await nodes.hear();
    const task = taskOf(await answer);
    expect(artifactText(task)).toBe("waiting news");
  });

  it("register a receiver with a message to the run at the other, and it is told of what follows", async () => {
    const run: Handler = async function* ({ nextMessage }) {
      yield "waiting ";
      yield textIn((await nextMessage()).parts);
    };
    const told: string[] = [];
    const pushSender: PushSender = {
      admit: async () => undefined,
      send: async ({ config, event }) => {
        told.push(`${config.id} ${event.statusUpdate?.status.state}`);
        return { kind: "arrived" };
      },
      close: async () => undefined,
    };
    await using nodes = await openNodes(run, buses, pushSender);
    const { id: taskId } = taskOf(await nodes.one.service.sendMessage(sayAndLeave("go"), call()));
    const taskPushNotificationConfig = { id: "hook", url: "https://receiver.example/hook" };
    const configuration = { taskPushNotificationConfig, returnImmediately: true };
    await nodes.two.service.sendMessage(say("news", { taskId }, { configuration }), call());
    await nodes.hear();
    await nodes.hear();
    await until(async () => {
      await nodes.hear();
      return told.includes("hook TASK_STATE_COMPLETED");
    }, "the notification");
    const { configs } = await nodes.one.service.listTaskPushNotificationConfigs({ taskId }, call());
    expect(configs).toMatchObject([taskPushNotificationConfig]);
  });

  it("write to one task at the same time, and lose nothing of it", async () => {
    let isStopped = false;
    await using nodes = await openNodes(async function* ({ text }) {
      if (text !== "go") return `about ${text}`;
      for (let count = 0; !isStopped; count += 1) {
        yield `${count} `;
        if (count % 3 === 0) await settle();
      }
      return undefined;
    }, buses);
    const { id: taskId } = taskOf(await nodes.one.service.sendMessage(sayAndLeave("go"), call()));
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);
    for (const text of texts) {
      await nodes.two.service.sendMessage(sayAndLeave(text, { taskId }), call());
    }
    isStopped = true;
    await nodes.hear();
    await nodes.hear();
    const task = await nodes.two.service.getTask({ id: taskId }, call());
    expect(stateOf(task)).toBe("completed");
    const said = (artifactText(task) ?? "").trim().split(" ").map(Number);
    expect(said).toEqual(Array.from(said.keys()));
    const answers = task.artifacts?.slice(1).map(({ parts }) => textIn(parts));
    expect(answers).toEqual(texts.map((text) => `about ${text}`));
    expect([...nodes.one.reports, ...nodes.two.reports]).toEqual([]);
  });

  it("answer a question that the other has asked, whose handler goes on", async () => {
    let begun = 0;
    await using nodes = await openNodes(async ({ ask }) => {
      begun += 1;
      return textIn((await ask("?")).parts);
    }, buses);
    const watching = watchInBackground(nodes.one.service.sendStreamingMessage(say("go"), call()));
    await watching.done;
    const taskId = watching.events[0]?.response.task?.id ?? "";
    const subscribed = watchInBackground(nodes.one.service.subscribeToTask({ id: taskId }, call()));
    await settle();
    const sent = nodes.two.service.sendMessage(say("yes", { taskId }), call());
    await until(async () => (await nodes.one.store.loadRecord(taskId))?.state !== waiting);
    // Nobody hears of the answer without a bus, so the node that took it claims the task in the end.
    await nodes.clock.advance(buses === "one bus" ? 0 : 4000);
    await settle();
    await nodes.hear();
    const task = taskOf(await sent);
    expect(artifactText(task)).toBe("yes");
    expect(begun).toBe(1);
    await nodes.hear();
    expect(describeEvents(subscribed.events)).toEqual([
      "task input_required",
      "status working",
      "artifact answer = yes",
      "status completed",
    ]);
  });

  it("cancel a run at the other: its signal is aborted and it ends the task itself", async () => {
    const aborted = createDeferred<void>();
    await using nodes = await openNodes(async function* ({ signal }) {
      yield "x";
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      aborted.resolve();
    }, buses);
    const { id } = taskOf(await nodes.one.service.sendMessage(sayAndLeave("go"), call()));
    const canceling = nodes.two.service.cancelTask({ id }, call());
    await nodes.hear();
    await aborted.promise;
    await nodes.hear();
    expect(stateOf(await canceling)).toBe("canceled");
    const record = await nodes.one.store.loadRecord(id);
    // Nobody had to take it over.
    expect(record?.epoch).toBe(1);
    expect([nodes.one.watched, nodes.two.watched]).toEqual([0, 0]);
  });

  it("cancel a task whose handler waits at the other: its question rejects", async () => {
    const rejected = createDeferred<unknown>();
    await using nodes = await openNodes(async ({ ask }) => {
      await ask("?").catch((error: unknown) => {
        rejected.resolve(error);
        throw error;
      });
    }, buses);
    const { id } = taskOf(await nodes.one.service.sendMessage(say("go"), call()));
    const canceling = nodes.two.service.cancelTask({ id }, call());
    await until(async () => {
      await nodes.hear();
      return stateOf(await nodes.one.service.getTask({ id }, call())) === "canceled";
    }, "the task to be canceled");
    expect(stateOf(await canceling)).toBe("canceled");
    // Without a bus the handler learns it when it is dropped, and its question stays pending.
    if (buses === "one bus") expect(String(await rejected.promise)).toContain("canceled");
    expect(nodes.one.reports).toEqual([]);
  });

  it("take credentials with an answer to a question of the other, and begin the handler again with them", async () => {
    const seen: JsonValue[] = [];
    await using nodes = await openNodes(async (context) => {
      await context.authRequired("A token, please");
      seen.push(context.credentials ?? null);
      return "Thank you";
    }, buses);
    const { id: taskId } = taskOf(await nodes.one.service.sendMessage(say("go"), call()));
    const metadata = { [credentialsUri]: { token: "secret" } };
    const sent = nodes.two.service.sendMessage(say("here", { taskId, metadata }), call());
    await nodes.hear();
    expect(artifactText(taskOf(await sent))).toBe("Thank you");
    expect(seen).toEqual([{ token: "secret" }]);
    expect((await nodes.one.store.loadRecord(taskId))?.epoch, "claimed once").toBe(2);
  });

  it("take a task from a run at the other that does not stop when it is canceled", async () => {
    const gate = createDeferred<void>();
    const signals: AbortSignal[] = [];
    await using nodes = await openNodes(async function* ({ signal }) {
      signals.push(signal);
      yield "x";
      await gate.promise;
      yield "too late";
    }, buses);
    const { id } = taskOf(await nodes.one.service.sendMessage(sayAndLeave("go"), call()));
    const before = nodes.clock.now();
    const canceling = nodes.two.service.cancelTask({ id }, call());
    await nodes.clock.advance(5000);
    const task = await canceling;
    expect(stateOf(task)).toBe("canceled");
    expect(Date.parse(task.status.timestamp ?? "")).toBe(before + 5000);
    expect(signals[0]?.aborted).toBe(true);
    gate.resolve();
    await nodes.hear();
    expect(await nodes.one.service.getTask({ id }, call())).toEqual(task);
    expect([nodes.one.watched, nodes.two.watched]).toEqual([0, 0]);
    expect(nodes.one.reports).toEqual([]);
  });
});

it("a handler that waits does not go on with what its successor on another node did", async () => {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const settings = { leaseMs: 600_000 };
  const wentOn: string[] = [];
  const open = (node: string, seen: Store) => {
    const run: Handler = async ({ ask, nextMessage }) => {
      await ask("First?");
      wentOn.push(node);
      await ask("Second?");
      await nextMessage();
    };
    return openTestRuntime({ run, store: seen, bus, clock, settings });
  };
  const cutOff = { ...store };
  await using one = await open("one", cutOff);
  await using two = await open("two", store);
  const { id: taskId } = taskOf(await one.service.sendMessage(say("go"), call()));
  const watched = watchInBackground(one.service.subscribeToTask({ id: taskId }, call()));
  await until(() => watched.events.length === 1, "the task");
  const unheard = [
    intercept(cutOff, "read", () => Promise.reject(new Error("cut off"))),
    intercept(cutOff, "loadRecord", () => Promise.reject(new Error("cut off"))),
  ];
  const answer = (text: string, more = {}) =>
    two.service.sendMessage(sayAndLeave(text, { taskId, ...more }), call());
  const stateAtTwo = async () => stateOf(await two.service.getTask({ id: taskId }, call()));
  await answer("this", { metadata: { [credentialsUri]: "secret" } });
  await until(async () => (await stateAtTwo()) === "input_required", "the second question");
  await answer("that");
  await until(async () => (await stateAtTwo()) === "working", "the run to go on");
  await settle();
  for (const end of unheard) end();
  // The watcher's node has read all entries before it looks for its handler.
  intercept(cutOff, "loadRecord", () => until(() => watched.events.length > 3, "the entries"));
  bus.publish(taskId, (await store.loadRecord(taskId))?.sequence ?? 0);
  await until(() => one.service.figures().suspended.waiting === 0, "the handler to be looked at");
  await settle();
  expect(wentOn).toEqual(["two"]);
});

it("a wake-up that comes while a task is being loaded is not missed", async () => {
  const clock: TestClock = createTestClock();
  const gate = createDeferred<void>();
  const bus = createInProcessBus();
  await using one = await openTestRuntime({
    clock,
    bus,
    run: async function* () {
      yield "a";
      await gate.promise;
      yield "b";
    },
  });
  const { id } = taskOf(await one.service.sendMessage(sayAndLeave("go"), call()));
  await using two = await openTestRuntime({ clock, bus, store: one.store, run: () => "" });
  two.freeze();
  const watching = watchInBackground(two.service.subscribeToTask({ id }, call()));
  await settle();
  gate.resolve();
  await settle();
  two.thaw();
  await settle();
  expect(watching.isOver).toBe(true);
});

it("a task that is claimed while its run waits for its turn is not kept in memory", async () => {
  const gate = createDeferred<void>();
  await using runtime = await openTestRuntime({
    settings: { maxConcurrentRuns: 1 },
    run: async ({ text }) => {
      if (text === "first") await gate.promise;
      return text;
    },
  });
  const first = runtime.service.sendMessage(say("first"), call());
  const second = runtime.service.sendMessage(sayAndLeave("second"), call());
  await runtime.clock.advance(1000);
  const { id: taskId } = taskOf(await second);
  const { epoch = 0 } = (await runtime.store.loadRecord(taskId)) ?? {};
  await runtime.store.claim({ taskId, node: "another", epoch });
  await runtime.clock.advance(2000);
  gate.resolve();
  await first;
  await settle();
  expect(runtime.watched).toBe(0);
});
