import { describe, expect, it } from "vitest";
import type { SendMessageRequest } from "../../src/protocol/internal.js";
import type { Handler } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { createDeferred } from "../support/time/deferred.js";
import { call, callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
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

/** Answers directly, or with a task, and counts how often it is asked to. */
function counting(): { readonly run: Handler; readonly runs: string[] } {
  const runs: string[] = [];
  const run: Handler = async function* ({ text }) {
    runs.push(text);
    if (text.startsWith("task")) yield `no. ${runs.length}`;
    else return `no. ${runs.length}`;
    return undefined;
  };
  return { run, runs };
}

/** The same message, sent anew: with an id of its own, as a client makes one for each request. */
function again({ message }: SendMessageRequest): SendMessageRequest {
  return { message: { ...message, messageId: `${message.messageId} again` } };
}

describe("a call that is repeated with its key", () => {
  it.each(["task", "message"])("is answered with the first one's result: a %s", async (kind) => {
    const { run, runs } = counting();
    await using runtime = await openTestRuntime({ run });
    const request = say(`${kind} please`);
    const keyed = callBy("ann", { idempotencyKey: "k1" });
    const first = await runtime.service.sendMessage(request, keyed);
    const second = await runtime.service.sendMessage(again(request), keyed);
    expect(second).toEqual(first);
    const [event] = await collect(runtime.service.sendStreamingMessage(again(request), keyed));
    expect(event?.response).toEqual(first);
    expect(runs).toHaveLength(1);
    expect(runtime.watched).toBe(0);
  });

  it.each(["task", "message"])("at the same time runs the agent once: a %s", async (kind) => {
    const gate = createDeferred<void>();
    const { run, runs } = counting();
    await using runtime = await openTestRuntime({
      run: async function* (context) {
        await gate.promise;
        return yield* run(context) as AsyncGenerator<string, string | undefined, void>;
      },
    });
    const request = say(`${kind} please`);
    const keyed = callBy("ann", { idempotencyKey: "k1" });
    const answers = Array.from({ length: 10 }, () =>
      runtime.service.sendMessage(again(request), keyed),
    );
    await settle();
    gate.resolve();
    const all = await Promise.all(answers);
    expect(all.every((answer) => JSON.stringify(answer) === JSON.stringify(all[0]))).toBe(true);
    expect(runs).toHaveLength(1);
  });

  it("at the same time at another node is answered with the winner's result", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const { run, runs } = counting();
    await using one = await openTestRuntime({ run, store, clock });
    await using two = await openTestRuntime({ run, store, clock });
    const keyed = callBy("ann", { idempotencyKey: "k1" });
    for (const text of ["task please", "message please"]) {
      const request = say(text);
      const keyedByText = { ...keyed, idempotencyKey: text };
      const answers = await Promise.all(
        [one, two, one, two].map(({ service }) => service.sendMessage(again(request), keyedByText)),
      );
      const ids = answers.map(({ task, message }) => task?.id ?? message?.messageId);
      expect(new Set(ids).size).toBe(1);
    }
    // Both may have begun before one of them lost; nothing of the loser is left.
    expect(runs.length).toBeLessThanOrEqual(4);
    expect((await one.service.listTasks({}, keyed)).totalSize).toBe(1);
    expect([...one.reports, ...two.reports]).toEqual([]);
    expect([one.watched, two.watched]).toEqual([0, 0]);
  });

  it("for a task is delivered once", async () => {
    await using runtime = await openTestRuntime({
      run: async ({ text }) => (text === "stop" ? "bye" : { inputRequired: `${text}?` }),
    });
    const { id: taskId } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const keyed = call({ idempotencyKey: "k1" });
    const request = say("more", { taskId });
    const first = await runtime.service.sendMessage(request, keyed);
    const [second, third] = await Promise.all([
      runtime.service.sendMessage(again(request), keyed),
      runtime.service.sendMessage(again(request), keyed),
    ]);
    expect([second, third]).toEqual([first, first]);
    const task = await runtime.service.getTask({ id: taskId }, call());
    expect(task.history?.map(({ parts }) => textIn(parts))).toEqual(["go", "go?", "more"]);
  });

  it("for a task, at the same time at another node, is delivered once", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const run: Handler = async ({ text }) => ({ inputRequired: `${text}?` });
    await using one = await openTestRuntime({ run, store, clock });
    await using two = await openTestRuntime({ run, store, clock });
    const { id: taskId } = taskOf(await one.service.sendMessage(say("go"), call()));
    const keyed = call({ idempotencyKey: "k1" });
    const request = say("more", { taskId });
    await Promise.all([one, two].map(({ service }) => service.sendMessage(again(request), keyed)));
    const task = await one.service.getTask({ id: taskId }, call());
    expect(task.history?.map(({ parts }) => textIn(parts))).toEqual(["go", "go?", "more"]);
    expect(stateOf(task)).toBe("input_required");
  });

  it("with another message is refused", async () => {
    const { run, runs } = counting();
    await using runtime = await openTestRuntime({ run });
    const keyed = callBy("ann", { idempotencyKey: "k1" });
    await runtime.service.sendMessage(say("task please"), keyed);
    expect(await refusalCode(runtime.service.sendMessage(say("task pretty please"), keyed))).toBe(
      "INVALID_PARAMS",
    );
    expect(runs).toHaveLength(1);
  });

  it("by somebody else is another call", async () => {
    const { run, runs } = counting();
    await using runtime = await openTestRuntime({ run });
    const request = say("message please");
    for (const caller of [
      callBy("ann"),
      callBy("bob"),
      callBy("ann", { tenant: "acme" }),
      call(),
    ]) {
      await runtime.service.sendMessage(request, { ...caller, idempotencyKey: "k1" });
    }
    expect(runs).toHaveLength(4);
  });

  it.each(["task", "message"])("later than the window is another call: a %s", async (kind) => {
    const { run, runs } = counting();
    const idempotencyMs = 20_000;
    await using runtime = await openTestRuntime({ run, settings: { idempotencyMs } });
    const request = say(`${kind} please`);
    const keyed = call({ idempotencyKey: "k1" });
    const first = await runtime.service.sendMessage(request, keyed);
    await runtime.clock.advance(idempotencyMs - 1);
    expect(await runtime.service.sendMessage(again(request), keyed)).toEqual(first);
    await runtime.clock.advance(1);
    // The key has expired but is not deleted yet.
    const later = await runtime.service.sendMessage(again(request), keyed);
    expect(later).not.toEqual(first);
    expect(runs).toHaveLength(2);
    expect(await runtime.service.sendMessage(again(request), keyed)).toEqual(later);
  });

  it("after one that failed is tried again, by one caller at a time", async () => {
    const gate = createDeferred<void>();
    let tries = 0;
    await using runtime = await openTestRuntime({
      run: async function* ({ text }) {
        tries += 1;
        yield "x";
        if (text === "busy") await gate.promise;
      },
      settings: { maxConcurrentRuns: 1, maxQueuedRuns: 0 },
    });
    const sendBusy = () => runtime.service.sendMessage(say("busy"), call());
    const busy = Promise.all([sendBusy(), settle().then(sendBusy)]);
    await settle();
    await settle();
    const request = say("go");
    const keyed = call({ idempotencyKey: "k1" });
    expect(await refusalCode(runtime.service.sendMessage(request, keyed))).toBe(
      "RESOURCE_EXHAUSTED",
    );
    gate.resolve();
    await busy;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => runtime.service.sendMessage(again(request), keyed)),
    );
    expect(new Set(answers.map((answer) => taskOf(answer).id)).size).toBe(1);
    expect(tries).toBe(3);
  });

  it("while the first is still at work waits for the same task", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "a";
        await gate.promise;
        yield "b";
      },
    });
    const request = say("go");
    const keyed = call({ idempotencyKey: "k1" });
    const first = runtime.service.sendMessage(request, keyed);
    await until(() => runtime.watched > 0);
    const second = runtime.service.sendMessage(again(request), keyed);
    await settle();
    gate.resolve();
    expect(artifactText(taskOf(await second))).toBe("ab");
    expect(await second).toEqual(await first);
  });
});

describe("a message id that is sent twice", () => {
  it("makes two tasks, unless the operator wants it otherwise", async () => {
    const { run, runs } = counting();
    await using runtime = await openTestRuntime({ run });
    const request = say("task please");
    const first = taskOf(await runtime.service.sendMessage(request, call()));
    const second = taskOf(await runtime.service.sendMessage(request, call()));
    expect(first.id).not.toBe(second.id);
    expect(runs).toHaveLength(2);
  });

  it("is the same message where the operator says so, within a task and an owner", async () => {
    const { run, runs } = counting();
    await using runtime = await openTestRuntime({ run, settings: { idempotentMessageIds: true } });
    const request = say("task please");
    const first = await runtime.service.sendMessage(request, callBy("ann"));
    expect(await runtime.service.sendMessage(request, callBy("ann"))).toEqual(first);
    expect(await runtime.service.sendMessage(request, callBy("bob"))).not.toEqual(first);
    expect(runs).toHaveLength(2);
    const other = { message: { ...request.message, parts: [{ text: "task, another" }] } };
    const error = await refusal(runtime.service.sendMessage(other, callBy("ann")));
    expect(error.code).toBe("INVALID_PARAMS");
    const inTask = say("x", { messageId: request.message.messageId, taskId: taskOf(first).id });
    expect(await refusalCode(runtime.service.sendMessage(inTask, callBy("ann")))).toBe(
      "UNSUPPORTED_OPERATION",
    );
  });
});
