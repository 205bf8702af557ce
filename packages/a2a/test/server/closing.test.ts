import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { artifactText, refusalCode, stateOf, taskOf } from "../support/runtime/answers.js";
import { collect, watchInBackground } from "../support/streams.js";
import { settle, until } from "../support/time/until.js";

const never = (): Promise<never> => new Promise(() => undefined);
const stopGraceMs = 10_000;

async function begin({ service }: TestRuntime, text = "go"): Promise<string> {
  return taskOf(await service.sendMessage(sayAndLeave(text), call())).id;
}

describe("a runtime that is closed", () => {
  it("lets runs finish, and is closed as soon as they are", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "a";
        await gate.promise;
        yield "b";
      },
    });
    const answer = runtime.service.sendMessage(say("go"), call());
    await settle();
    const closing = runtime.service.close();
    await runtime.clock.advance(stopGraceMs / 2);
    gate.resolve();
    await closing;
    const task = taskOf(await answer);
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "ab"]);
    expect(runtime.clock.pending).toBe(0);
    expect(runtime.watched).toBe(0);
  });

  it("keeps its lease until the last run has ended", async () => {
    const gate = createDeferred<void>();
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const run: Handler = async function* () {
      yield "a";
      await gate.promise;
      yield "b";
    };
    const settings = { leaseMs: 4000, stopGraceMs: 60_000 };
    await using one = await openTestRuntime({ run, store, clock, settings });
    await using two = await openTestRuntime({ run, store, clock, settings });
    const id = await begin(one);
    const closing = one.service.close();
    await clock.advance(30_000);
    expect(stateOf(await two.service.getTask({ id }, call()))).toBe("working");
    gate.resolve();
    await closing;
    expect(stateOf(await two.service.getTask({ id }, call()))).toBe("completed");
  });

  it("hands back what does not finish in time, to a node that goes on with it at once", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const bus = createInProcessBus();
    const signals: AbortSignal[] = [];
    const runOn = (node: string): Handler =>
      async function* ({ signal }) {
        signals.push(signal);
        yield "a";
        if (node === "one") await never();
        yield "b";
      };
    await using one = await openTestRuntime({
      run: runOn("one"),
      store,
      clock,
      bus,
      durable: true,
    });
    const answer = one.service.sendMessage(say("go"), call());
    const listed = async () => (await one.service.listTasks({}, call())).tasks;
    await until(async () => (await listed()).length === 1, "the task");
    const id = (await listed())[0]?.id ?? "";
    const subscription = collect(one.service.subscribeToTask({ id }, call()));
    const closing = one.service.close();
    const refusals = [refusalCode(answer), refusalCode(subscription)];
    await clock.advance(stopGraceMs);
    await closing;
    // Those who waited here are told to ask elsewhere.
    expect(await Promise.all(refusals)).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    expect(signals[0]?.aborted).toBe(true);
    await using two = await openTestRuntime({
      run: runOn("two"),
      store,
      clock,
      bus,
      durable: true,
    });
    await until(async () => stateOf(await two.service.getTask({ id }, call())) === "completed");
    expect(artifactText(await two.service.getTask({ id }, call()))).toBe("ab");
    expect(one.reports).toEqual([]);
    expect(one.watched).toBe(0);
  });

  it("answers callers of an agent that has not decided yet", async () => {
    await using runtime = await openTestRuntime({ run: never });
    const refusals = [
      refusalCode(runtime.service.sendMessage(say("go"), call())),
      refusalCode(collect(runtime.service.sendStreamingMessage(say("go"), call()))),
    ];
    await settle();
    const closing = runtime.service.close();
    await runtime.clock.advance(stopGraceMs);
    await closing;
    expect(await Promise.all(refusals)).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    const { totalSize } = await runtime.service.listTasks({}, call());
    expect(totalSize).toBe(0);
  });

  it("starts no run that still waits for its turn", async () => {
    const started: string[] = [];
    await using runtime = await openTestRuntime({
      run: async ({ text }) => {
        started.push(text);
        await never();
      },
      settings: { maxConcurrentRuns: 1 },
    });
    const sends = ["first", "second", "third"].map((text) =>
      runtime.service.sendMessage(sayAndLeave(text), call()),
    );
    await runtime.clock.advance(50);
    await Promise.all(sends);
    const closing = runtime.service.close();
    await runtime.clock.advance(stopGraceMs);
    await closing;
    expect(started).toEqual(["first", "second"]);
  });

  it("answers callers whose runs still wait for their turn", async () => {
    await using runtime = await openTestRuntime({ run: never, settings: { maxConcurrentRuns: 1 } });
    const refusals = ["first", "second"].map((text) =>
      refusalCode(runtime.service.sendMessage(say(text), call())),
    );
    await settle();
    const closing = runtime.service.close();
    await runtime.clock.advance(stopGraceMs);
    await closing;
    expect(await Promise.all(refusals)).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
  });

  it("refuses new work from the moment it is told, and goes on to show what there is", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* ({ text }) {
        yield text;
        if (text === "slow") await gate.promise;
        return text === "ask" ? { inputRequired: "?" } : undefined;
      },
    });
    const { service } = runtime;
    const slow = await begin(runtime, "slow");
    const { id: waiting } = taskOf(await service.sendMessage(say("ask"), call()));
    const closing = service.close();
    for (const members of [{}, { taskId: slow }, { taskId: waiting }]) {
      const before = await runtime.store.load(waiting);
      expect(await refusalCode(service.sendMessage(say("more", members), call()))).toBe(
        "UNAVAILABLE",
      );
      const stream = collect(service.sendStreamingMessage(say("more", members), call()));
      expect(await refusalCode(stream)).toBe("UNAVAILABLE");
      expect(await runtime.store.load(waiting)).toEqual(before);
    }
    const watching = watchInBackground(service.subscribeToTask({ id: slow }, call()));
    await settle();
    gate.resolve();
    await closing;
    expect(watching.isOver).toBe(true);
    expect(stateOf(await service.getTask({ id: slow }, call()))).toBe("completed");
    expect(await refusalCode(collect(service.subscribeToTask({ id: waiting }, call())))).toBe(
      "UNAVAILABLE",
    );
    expect(await refusalCode(service.cancelTask({ id: waiting }, call()))).toBe("UNAVAILABLE");
    expect(runtime.watched).toBe(0);
  });

  it("lets a handler finish whose answer is being written", async () => {
    const gate = createDeferred<void>();
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    await using runtime = await openTestRuntime({
      store,
      clock,
      run: async ({ ask }) => textOf(await ask("Which?")),
    });
    const { id: taskId } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    let isWriting = false;
    intercept(store, "append", () => {
      isWriting = true;
      return gate.promise;
    });
    const answer = runtime.service.sendMessage(say("this", { taskId }), call());
    await until(() => isWriting);
    const closing = runtime.service.close();
    gate.resolve();
    await closing;
    const task = taskOf(await answer);
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "this"]);
    expect(runtime.watched).toBe(0);
  });

  it("leaves the next run of a task to another node", async () => {
    const gate = createDeferred<void>();
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const run: Handler = async function* ({ text }) {
      yield text;
      if (text === "first") await gate.promise;
    };
    await using one = await openTestRuntime({ run, store, clock, durable: true });
    const taskId = await begin(one, "first");
    await one.service.sendMessage(sayAndLeave("second", { taskId }), call());
    const closing = one.service.close();
    gate.resolve();
    await closing;
    expect(stateOf(await one.service.getTask({ id: taskId }, call()))).toBe("working");
    await using two = await openTestRuntime({ run, store, clock, durable: true });
    await until(
      async () => stateOf(await two.service.getTask({ id: taskId }, call())) === "completed",
    );
    const task = await two.service.getTask({ id: taskId }, call());
    expect([artifactText(task), artifactText(task, "answer-2")]).toEqual(["first", "second"]);
  });

  it("sends away who comes back for the next event", async () => {
    await using runtime = await openTestRuntime({ run: () => ({ inputRequired: "?" }) });
    const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const stream = runtime.service.subscribeToTask({ id }, call())[Symbol.asyncIterator]();
    await stream.next();
    await runtime.service.close();
    expect(await refusalCode(stream.next())).toBe("UNAVAILABLE");
  });

  it("can be closed twice", async () => {
    await using runtime = await openTestRuntime({ run: () => "x" });
    await Promise.all([runtime.service.close(), runtime.service.close()]);
    await runtime.service.close();
    expect(runtime.clock.pending).toBe(0);
  });
});
