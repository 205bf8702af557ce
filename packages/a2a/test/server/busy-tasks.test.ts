import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import type { Append, Store } from "../../src/store/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { intercept } from "../support/runtime/intercept.js";
import {
  call,
  callBy,
  openTestRuntime,
  say,
  sayAndLeave,
} from "../support/runtime/open-test-runtime.js";
import { artifactText, refusal, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { watchInBackground } from "../support/streams.js";
import { createDeferred } from "../support/time/deferred.js";
import { settle, until } from "../support/time/until.js";

/** Says something in every turn of the event loop until it is told to stop, or canceled. */
function createStreaming() {
  let isStopped = false;
  const run: Handler = async function* ({ text, signal }) {
    if (text !== "go") return `about ${text}`;
    for (let count = 0; !isStopped && !signal.aborted; count += 1) {
      yield `${count} `;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return undefined;
  };
  const stop = (): void => void (isStopped = true);
  return { run, stop };
}

/** Two nodes over one store; the store takes a turn for every call, so that calls of the nodes overlap. */
async function openNodes(run: Handler) {
  const clock = createTestClock();
  const bus = createInProcessBus();
  const store = createMemoryStore({ clock });
  const latency = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const open = (name: string) =>
    openTestRuntime({ run, store: countCalls(store, name), clock, bus, latency });
  /** What each node has asked of the store. */
  const asked = new Map<string, { method: string; args: readonly unknown[] }[]>();
  const countCalls = (counted: Store, name: string): Store => {
    const calls: { method: string; args: readonly unknown[] }[] = [];
    asked.set(name, calls);
    return new Proxy(counted, {
      get(target, method) {
        const member: unknown = Reflect.get(target, method);
        if (typeof member !== "function") return member;
        return (...args: unknown[]): unknown => {
          calls.push({ method: String(method), args });
          return Reflect.apply(member, target, args);
        };
      },
    });
  };
  const callsOf = (name: string, method: string) =>
    (asked.get(name) ?? []).filter((one) => one.method === method).map(({ args }) => args);
  const runs = await open("runs");
  const asks = await open("asks");
  const close = async (): Promise<void> => {
    await runs[Symbol.asyncDispose]();
    await asks[Symbol.asyncDispose]();
  };
  return { runs, asks, store, clock, callsOf, [Symbol.asyncDispose]: close };
}

const isForeign = ([append]: readonly unknown[]): boolean =>
  (append as Append).expectedSequence === undefined;

describe("while a run streams on one node", () => {
  it("200 of 200 messages from another node reach it, with one try each", async () => {
    const streaming = createStreaming();
    await using nodes = await openNodes(streaming.run);
    const { runs, asks, callsOf } = nodes;
    const { id: taskId } = taskOf(await runs.service.sendMessage(sayAndLeave("go"), call()));
    const watching = watchInBackground(runs.service.subscribeToTask({ id: taskId }, call()));
    await until(() => watching.events.length > 3);
    const texts = Array.from({ length: 200 }, (_, index) => `message ${index}`);
    // Twenty callers at a time.
    for (let first = 0; first < 200; first += 20) {
      const sends = texts.slice(first, first + 20).map(async (text) => {
        const sent = taskOf(await asks.service.sendMessage(sayAndLeave(text, { taskId }), call()));
        // Each gets the task with its message in it.
        expect(sent.history?.map(({ parts }) => textIn(parts))).toContain(text);
      });
      await Promise.all(sends);
    }
    expect(callsOf("asks", "append").length).toBe(200);
    expect(callsOf("asks", "append").every(isForeign)).toBe(true);
    // A conflict costs the node of the run a read of what is new, never the whole task.
    expect(callsOf("runs", "load")).toEqual([]);
    expect(callsOf("runs", "append").length, "written meanwhile").toBeGreaterThan(20);
    streaming.stop();
    await until(async () => (await nodes.store.loadRecord(taskId))?.node === undefined);
    const task = await asks.service.getTask({ id: taskId }, call());
    const said = (artifactText(task) ?? "").trim().split(" ").map(Number);
    expect(said).toEqual(Array.from(said.keys()));
    const answers = task.artifacts?.slice(1).map(({ parts }) => textIn(parts));
    expect(answers?.toSorted()).toEqual(texts.map((text) => `about ${text}`).toSorted());
    await watching.done;
    const told = watching.events.map(({ sequence }) => sequence);
    expect(told).toEqual(told.toSorted((left = 0, right = 0) => left - right));
    expect([...runs.reports, ...asks.reports]).toEqual([]);
  });

  it("20 of 20 cancels from another node stop it, with one try each", async () => {
    for (let round = 0; round < 20; round += 1) {
      const streaming = createStreaming();
      await using nodes = await openNodes(streaming.run);
      const { runs, asks, callsOf } = nodes;
      const { id } = taskOf(await runs.service.sendMessage(sayAndLeave("go"), call()));
      await until(async () => ((await nodes.store.loadRecord(id))?.sequence ?? 0) > 5);
      const task = await asks.service.cancelTask({ id }, call());
      expect(stateOf(task)).toBe("canceled");
      expect(callsOf("asks", "append").length).toBe(1);
      // The run has ended the task itself: nobody took it over.
      expect((await nodes.store.loadRecord(id))?.epoch).toBe(1);
    }
  });

  it("what comes along with a message is there once: its key, its push configuration, its id", async () => {
    const streaming = createStreaming();
    await using nodes = await openNodes(streaming.run);
    const { runs, asks, store } = nodes;
    const ann = callBy("ann");
    const { id: taskId } = taskOf(await runs.service.sendMessage(sayAndLeave("go"), ann));
    const keyed = callBy("ann", { idempotencyKey: "k" });
    const message = sayAndLeave("more", { taskId });
    const first = taskOf(await asks.service.sendMessage(message, keyed));
    const again = taskOf(await asks.service.sendMessage(message, keyed));
    const there = taskOf(await runs.service.sendMessage(message, keyed));
    expect([again.id, there.id]).toEqual([first.id, first.id]);
    const entries = await store.read(taskId, 0, 100_000);
    expect(entries.filter(({ event }) => event.kind === "message-added").length).toBe(2);
    const scope = { tenant: "", subject: "ann", agent: "Tested" };
    expect(await store.findByMessageId(scope, message.message.messageId)).toBe(taskId);
    streaming.stop();
  });

  it("the same key at the same time on two nodes adds one message", async () => {
    const streaming = createStreaming();
    await using nodes = await openNodes(streaming.run);
    const { runs, asks, store } = nodes;
    const { id: taskId } = taskOf(await runs.service.sendMessage(sayAndLeave("go"), callBy("ann")));
    const keyed = callBy("ann", { idempotencyKey: "k" });
    const message = sayAndLeave("more", { taskId });
    const sent = await Promise.all(
      [asks, runs, asks].map(({ service }) => service.sendMessage(message, keyed)),
    );
    expect(sent.map((one) => taskOf(one).id)).toEqual([taskId, taskId, taskId]);
    const entries = await store.read(taskId, 0, 100_000);
    expect(entries.filter(({ event }) => event.kind === "message-added").length).toBe(2);
    streaming.stop();
  });
});

describe("a message from another node", () => {
  it("is in the task that its caller gets, though no wake-up arrives", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const silent = { ...createInProcessBus(), publish: () => undefined };
    const run: Handler = async function* () {
      yield "a";
      await new Promise(() => undefined);
    };
    await using runs = await openTestRuntime({ run, store, clock });
    await using asks = await openTestRuntime({ run, store, clock, bus: silent });
    const { id: taskId } = taskOf(await runs.service.sendMessage(sayAndLeave("go"), call()));
    const watching = watchInBackground(asks.service.subscribeToTask({ id: taskId }, call()));
    await settle();
    const sent = await asks.service.sendMessage(sayAndLeave("more", { taskId }), call());
    expect(taskOf(sent).history?.map(({ parts }) => textIn(parts))).toEqual(["go", "more"]);
    expect(watching.isOver).toBe(false);
  });

  it("that comes just as the task begins to wait is the answer", async () => {
    const gate = createDeferred<void>();
    await using nodes = await openNodes(async function* ({ ask }) {
      yield "a ";
      await gate.promise;
      yield textIn((await ask("?")).parts);
    });
    const { runs, asks, store } = nodes;
    const { id: taskId } = taskOf(await runs.service.sendMessage(sayAndLeave("go"), call()));
    // The question is asked while the message is on its way.
    const mend = intercept(store, "append", async (append) => {
      if (append.messageIds === undefined) return;
      mend();
      gate.resolve();
      await until(async () => {
        const record = await store.loadRecord(taskId);
        return record?.state === "TASK_STATE_INPUT_REQUIRED";
      });
    });
    const sent = asks.service.sendMessage(say("yes", { taskId }), call());
    const task = taskOf(await sent);
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "a yes"]);
  });

  it("that comes just as the task ends is refused as any other", async () => {
    const gate = createDeferred<void>();
    await using nodes = await openNodes(async function* () {
      yield "a ";
      await gate.promise;
    });
    const { runs, asks, store } = nodes;
    const { id: taskId } = taskOf(await runs.service.sendMessage(sayAndLeave("go"), call()));
    const mend = intercept(store, "append", async (append) => {
      if (append.messageIds === undefined) return;
      mend();
      gate.resolve();
      await until(async () => (await store.loadRecord(taskId))?.state === "TASK_STATE_COMPLETED");
    });
    const error = await refusal(asks.service.sendMessage(say("late", { taskId }), call()));
    expect([error.code, error.message]).toEqual([
      "UNSUPPORTED_OPERATION",
      expect.stringContaining("is completed; it takes no more messages"),
    ]);
  });

  it("that comes just as the run ends is answered by the next run", async () => {
    const gate = createDeferred<void>();
    await using nodes = await openNodes(async function* ({ text }) {
      yield text;
      if (text === "go") await gate.promise;
    });
    const { runs, asks, store } = nodes;
    const { id: taskId } = taskOf(await runs.service.sendMessage(sayAndLeave("go"), call()));
    await settle();
    // The message is there before the run's last write.
    const mend = intercept(store, "append", async (append) => {
      if (append.status?.state !== "TASK_STATE_COMPLETED") return;
      mend();
      await asks.service.sendMessage(sayAndLeave("more", { taskId }), call());
    });
    gate.resolve();
    await until(async () => (await store.loadRecord(taskId))?.state === "TASK_STATE_COMPLETED");
    const task = await runs.service.getTask({ id: taskId }, call());
    expect(task.artifacts?.map(({ parts }) => textIn(parts))).toEqual(["go", "more"]);
  });
});

it("a write that others come before again and again fails in the end", async () => {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  await using node = await openTestRuntime({
    run: async function* () {
      yield "a";
      await settle();
      yield { status: "b" };
    },
    store,
    clock,
    durable: true,
  });
  let tries = 0;
  const append = store.append.bind(store);
  intercept(store, "append", async ({ taskId, expectedSequence, epoch }) => {
    if (expectedSequence === undefined || expectedSequence === 0) return;
    tries += 1;
    await append({ taskId, epoch, events: [{ kind: "cancel-requested" }] });
  });
  await node.service.sendMessage(sayAndLeave("go"), call());
  await until(() => node.reports.length > 0, "the run to be given up");
  expect(String(node.reports[0]?.error)).toContain("other nodes keep writing");
  expect(tries).toBeLessThan(500);
});
