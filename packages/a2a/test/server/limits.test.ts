import { describe, expect, it } from "vitest";
import type { SendMessageResponse } from "../../src/protocol/internal.js";
import { RecentEntries } from "../../src/server/log/recent-entries.js";
import type { Handler } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import {
  artifactText,
  refusal,
  refusalCode,
  stateOf,
  taskOf,
  textIn,
} from "../support/runtime/answers.js";
import { collect } from "../support/streams.js";
import { settle, until } from "../support/time/until.js";

describe("when too many runs are at work", () => {
  it("some wait for their turn, and beyond that calls are refused before anything is stored", async () => {
    const gates = new Map<string, () => void>();
    await using runtime = await openTestRuntime({
      run: async function* ({ text }) {
        yield text;
        await new Promise<void>((resolve) => gates.set(text, resolve));
      },
      settings: { maxConcurrentRuns: 2, maxQueuedRuns: 2 },
    });
    const { service } = runtime;
    const figures = () => service.figures().runs;
    const answers: Promise<SendMessageResponse>[] = [];
    // Two tasks at work; two that wait with their first output; two more in the slots for replies.
    for (const text of ["a", "b", "c", "d", "e", "f"]) {
      answers.push(service.sendMessage(say(text), call()));
      await settle();
    }
    expect([...gates.keys()]).toEqual(["a", "b", "e", "f"]);
    const full = { working: 2, limit: 2 };
    expect(figures()).toEqual({ tasks: full, replies: full, waiting: 4 });
    expect(service.load()).toBe("full");
    const error = await refusal(service.sendMessage(say("g"), call()));
    expect(error.code).toBe("RESOURCE_EXHAUSTED");
    expect(error.details.retryAfterSeconds).toBe(1);
    const stream = collect(service.sendStreamingMessage(say("g"), call()));
    expect(await refusalCode(stream)).toBe("RESOURCE_EXHAUSTED");
    expect((await service.listTasks({}, call())).totalSize).toBe(6);
    gates.get("b")?.();
    await settle();
    expect([...gates.keys()]).toEqual(["a", "b", "e", "f", "c"]);
    for (const text of ["a", "c", "e", "f"]) gates.get(text)?.();
    await settle();
    gates.get("d")?.();
    expect((await Promise.all(answers)).map((answer) => stateOf(taskOf(answer)))).toEqual(
      answers.map(() => "completed"),
    );
    expect(figures().waiting).toBe(0);
    const more = service.sendMessage(say("g"), call());
    await settle();
    gates.get("g")?.();
    expect(stateOf(taskOf(await more))).toBe("completed");
  });

  it("an answer that would begin a handler again is refused, and its task left as it was", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async ({ text, ask, step }) => {
        await step("begin", () => 1);
        if (text === "ask") return textIn((await ask("?")).parts);
        await gate.promise;
        return text;
      },
      settings: { maxConcurrentRuns: 1, maxQueuedRuns: 0, maxSuspended: 0 },
    });
    const { id: taskId } = taskOf(await runtime.service.sendMessage(say("ask"), call()));
    const busy = runtime.service.sendMessage(say("busy"), call());
    await settle();
    const before = await runtime.store.load(taskId);
    const answer = say("yes", { taskId });
    expect(await refusalCode(runtime.service.sendMessage(answer, call()))).toBe(
      "RESOURCE_EXHAUSTED",
    );
    expect(await runtime.store.load(taskId)).toEqual(before);
    gate.resolve();
    await busy;
    expect(artifactText(taskOf(await runtime.service.sendMessage(answer, call())))).toBe("yes");
  });

  it.each([
    ["begin handlers again are counted one by one", 0, 5],
    ["let waiting handlers go on are never refused", 100, 10],
  ])("answers that arrive at once and %s", async (_, maxSuspended, accepted) => {
    const gate = createDeferred<void>();
    let working = 0;
    let most = 0;
    await using runtime = await openTestRuntime({
      run: async ({ ask }) => {
        await ask("?");
        working += 1;
        most = Math.max(most, working);
        await gate.promise;
        working -= 1;
      },
      settings: { maxConcurrentRuns: 3, maxQueuedRuns: 2, maxSuspended },
    });
    const { service } = runtime;
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      ids.push(taskOf(await service.sendMessage(say("go"), call())).id);
    }
    const answers = await Promise.allSettled(
      ids.map((taskId) => service.sendMessage(sayAndLeave("yes", { taskId }), call())),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(accepted);
    await until(() => working === 3, "three handlers at work");
    gate.resolve();
    const isDone = async (): Promise<boolean> => {
      const { tasks } = await service.listTasks({}, call());
      return tasks.filter((task) => stateOf(task) === "completed").length === accepted;
    };
    await until(isDone, "the answered tasks to end");
    expect(most).toBe(3);
  });
});

describe("what is too large", () => {
  const tooMuch = "x".repeat(2000);

  it.each<[string, Handler]>([
    [
      "one output",
      async function* () {
        yield "begun";
        yield tooMuch;
      },
    ],
    ["what a handler returns", () => tooMuch],
    ["a question", async ({ ask }) => textIn((await ask(tooMuch)).parts)],
    ["a question that is returned", () => ({ inputRequired: tooMuch })],
    ["a step's result", ({ step }) => step("s", () => tooMuch)],
    ["the reason of a failure", ({ fail }) => fail(tooMuch)],
  ])("fails its task, which says so: %s", async (_, run) => {
    await using runtime = await openTestRuntime({ run, settings: { maxEventBytes: 1000 } });
    const task = taskOf(await runtime.service.sendMessage(say("go"), call()));
    expect(stateOf(task)).toBe("failed");
    expect(textIn(task.status.message?.parts ?? [])).toBe("one output has more than 1000 bytes");
    expect(runtime.reports).toEqual([]);
  });

  it("is refused in a message, before anything is stored", async () => {
    await using runtime = await openTestRuntime({
      run: () => "x",
      settings: { maxEventBytes: 1000 },
    });
    const error = await refusal(runtime.service.sendMessage(say(tooMuch), call()));
    expect(error.code).toBe("REQUEST_TOO_LARGE");
    expect(error.details.fieldViolations?.map(({ field }) => field)).toEqual(["message"]);
  });

  it("is a task of many outputs, also over several runs", async () => {
    await using runtime = await openTestRuntime({
      run: async function* () {
        for (let count = 0; count < 5; count += 1) yield "x".repeat(500);
        return { inputRequired: "more?" };
      },
      settings: { maxTaskBytes: 10_000 },
    });
    let task = taskOf(await runtime.service.sendMessage(say("go"), call()));
    for (let count = 0; count < 2; count += 1) {
      expect(stateOf(task)).toBe("input_required");
      task = taskOf(await runtime.service.sendMessage(say("on", { taskId: task.id }), call()));
    }
    task = taskOf(await runtime.service.sendMessage(say("on", { taskId: task.id }), call()));
    expect(stateOf(task)).toBe("failed");
    expect(textIn(task.status.message?.parts ?? [])).toBe("the task has more than 10000 bytes");
    expect(JSON.stringify(task).length).toBeLessThan(12_000);
  });

  it("is a task that is sent message after message", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "x";
        await gate.promise;
      },
      settings: { maxTaskBytes: 10_000 },
    });
    const { id: taskId } = taskOf(await runtime.service.sendMessage(sayAndLeave("go"), call()));
    const flood = Array.from({ length: 20 }, () =>
      runtime.service.sendMessage(sayAndLeave("y".repeat(1000), { taskId }), call()),
    );
    const codes = await Promise.all(
      flood.map((sent) =>
        sent.then(
          () => "ok",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(new Set(codes)).toEqual(new Set(["ok", "RESOURCE_EXHAUSTED"]));
    expect(codes.filter((code) => code === "ok").length).toBeLessThan(10);
    gate.resolve();
  });
});

describe("a handler that never pauses", () => {
  it("gets 100,000 chunks told, a few at a time, while others are served", async () => {
    const count = 100_000;
    const store = createMemoryStore();
    let largest = 0;
    let events = 0;
    intercept(store, "append", (write) => {
      largest = Math.max(largest, write.events.length);
      events += write.events.length;
    });
    let ahead = 0;
    await using runtime = await openTestRuntime({
      store,
      run: async function* ({ text }) {
        if (text !== "flood") return "Hi";
        for (let chunk = 0; chunk < count; chunk += 1) {
          ahead = Math.max(ahead, chunk - events);
          yield "x";
        }
        return undefined;
      },
    });
    const flood = runtime.service.sendMessage(say("flood"), call());
    let served = 0;
    while (events < count) {
      const { message } = await runtime.service.sendMessage(say("hello"), call());
      expect(message && textIn(message.parts)).toBe("Hi");
      served += 1;
      await settle();
    }
    const task = taskOf(await flood);
    expect(artifactText(task)?.length).toBe(count);
    expect(served).toBeGreaterThan(20);
    // What is said and not yet stored is bounded, and so is what one append holds.
    expect(ahead).toBeLessThanOrEqual(256);
    expect(largest).toBeLessThanOrEqual(256);
  });

  it("leaves only so many of its latest events in memory", () => {
    const recent = new RecentEntries<{ sequence: number }>();
    for (let sequence = 1; sequence <= 100_000; sequence += 1) {
      recent.push({ sequence });
      if (sequence % 997 !== 0) continue;
      const kept = recent.after(Math.max(0, sequence - 256)) ?? [];
      expect(kept.map((entry) => entry.sequence)).toEqual(
        Array.from({ length: kept.length }, (_, index) => sequence - kept.length + 1 + index),
      );
      expect(kept.length).toBe(Math.min(sequence, 256));
      expect(recent.after(sequence - 512)).toBeUndefined();
      expect(recent.after(sequence)).toEqual([]);
    }
    const memory = new RecentEntries<{ sequence: number }>();
    memory.startAfter(500);
    memory.push({ sequence: 501 });
    expect(memory.after(499)).toBeUndefined();
    expect(memory.after(500)).toEqual([{ sequence: 501 }]);
    expect(memory.after(500, 0)).toEqual([]);
  });
});
