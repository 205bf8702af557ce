import { describe, expect, it } from "vitest";
import { verifies } from "../spec/verifies.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { collect, watchInBackground } from "../support/streams.js";
import {
  describeEvents,
  refusal,
  refusalCode,
  stateOf,
  taskOf,
} from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";

describe("the stream of a send", () => {
  it("begins with the task as it was created and tells everything once, in order, with its place", async () => {
    verifies("stream:order", "stream:return-immediately");
    await using runtime = await openTestRuntime({
      run: async function* () {
        for (let count = 0; count < 300; count += 1) yield `${count} `;
        yield { status: "Nearly there" };
        yield { artifact: "b", data: 1 };
      },
    });
    for (const returnImmediately of [false, true]) {
      const request = say("go", {}, { configuration: { returnImmediately } });
      const events = await collect(runtime.service.sendStreamingMessage(request, call()));
      const [first] = events;
      expect(first?.response.task?.status.state).toBe("TASK_STATE_SUBMITTED");
      expect(first?.response.task?.history).toEqual([
        {
          ...request.message,
          taskId: first?.response.task?.id,
          contextId: first?.response.task?.contextId,
        },
      ]);
      expect(describeEvents(events).slice(1)).toEqual([
        "status working",
        "artifact answer = 0 ",
        ...Array.from({ length: 299 }, (_, index) => `artifact answer += ${index + 1} `),
        "status working: Nearly there",
        "artifact b = ",
        "artifact answer += ",
        "status completed",
      ]);
      const places = events.map(({ sequence }) => sequence ?? 0);
      expect(places).toEqual(Array.from(new Set(places)).toSorted((a, b) => a - b));
    }
  });

  it("names the task and its context in every event", async () => {
    verifies(
      "stream:status-update-fields",
      "stream:artifact-update-fields",
      "task:required-fields",
    );
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "x";
      },
    });
    const events = await collect(runtime.service.sendStreamingMessage(say("go"), call()));
    const task = events[0]?.response.task;
    const ids = { taskId: task?.id, contextId: task?.contextId };
    for (const { response } of events.slice(1)) {
      expect(response.statusUpdate ?? response.artifactUpdate).toMatchObject(ids);
    }
  });

  it.each([
    ["ends when the task asks for input", "ask", true],
    ["stays while the task waits for authorization", "authRequired", false],
  ] as const)("%s", async (_, verb, ends) => {
    await using runtime = await openTestRuntime({
      run: async (context) => {
        await context[verb]("please");
        return "done";
      },
    });
    const watching = watchInBackground(runtime.service.sendStreamingMessage(say("go"), call()));
    await settle();
    expect(watching.isOver).toBe(ends);
    const taskId = watching.events[0]?.response.task?.id ?? "";
    const again = await collect(
      runtime.service.sendStreamingMessage(say("here", { taskId }), call()),
    );
    expect(describeEvents(again).at(-1)).toBe("status completed");
    await watching.done;
    expect(describeEvents(watching.events).at(-1)).toBe(
      ends ? "status input_required: please" : "status completed",
    );
  });

  it("shares what bindings make of an event with all who watch the task, and with nobody else", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "a";
        await gate.promise;
        yield "b";
      },
    });
    const watching = watchInBackground(runtime.service.sendStreamingMessage(say("go"), call()));
    await until(() => describeEvents(watching.events).length === 3);
    const id = watching.events[0]?.response.task?.id ?? "";
    const other = watchInBackground(runtime.service.subscribeToTask({ id }, call()));
    await until(() => other.events.length === 1);
    gate.resolve();
    await Promise.all([watching.done, other.done]);
    expect(watching.events.slice(0, 3).map(({ encodings }) => encodings)).not.toContainEqual(
      expect.anything(),
    );
    const [, ...shared] = other.events;
    expect(shared.length).toBe(2);
    expect(shared).toEqual(watching.events.slice(3));
    for (const [index, event] of shared.entries()) {
      expect(event.encodings).toBeInstanceOf(Map);
      expect(event.encodings).toBe(watching.events[3 + index]?.encodings);
      expect(JSON.stringify(event)).not.toContain("encodings");
    }
  });

  it("is refused by an agent that does not stream", async () => {
    verifies("stream:capability", "subscribe:capability");
    await using runtime = await openTestRuntime({
      run: () => ({ inputRequired: "?" }),
      capabilities: { streaming: false },
    });
    const stream = collect(runtime.service.sendStreamingMessage(say("go"), call()));
    expect(await refusalCode(stream)).toBe("UNSUPPORTED_OPERATION");
    const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const subscription = collect(runtime.service.subscribeToTask({ id }, call()));
    expect(await refusalCode(subscription)).toBe("UNSUPPORTED_OPERATION");
  });
});

describe("a subscription", () => {
  it("begins with the task as it is and misses nothing after that", async () => {
    verifies("subscribe:snapshot-first", "subscribe:no-gap", "subscribe:active-task");
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "a";
        yield "b";
        await gate.promise;
        yield "c";
      },
    });
    const { id } = taskOf(await runtime.service.sendMessage(sayAndLeave("go"), call()));
    await settle();
    const watching = watchInBackground(runtime.service.subscribeToTask({ id }, call()));
    await until(() => watching.events.length === 1);
    const [first] = watching.events;
    expect(first?.response.task).toEqual(await runtime.service.getTask({ id }, call()));
    gate.resolve();
    await watching.done;
    expect(describeEvents(watching.events)).toEqual([
      "task working",
      "artifact answer += c",
      "status completed",
    ]);
    expect(runtime.watched).toBe(0);
  });

  it("gets its first event from a task that is never at rest", async () => {
    let isStopped = false;
    await using runtime = await openTestRuntime({
      run: async function* () {
        while (!isStopped) yield "x";
      },
    });
    const { id } = taskOf(await runtime.service.sendMessage(sayAndLeave("go"), call()));
    const stream = runtime.service.subscribeToTask({ id }, call());
    const first = await stream[Symbol.asyncIterator]().next();
    expect(first.done).toBe(false);
    isStopped = true;
    await stream[Symbol.asyncIterator]().return?.();
  });

  it("stays open while the task waits for its caller, and ends with it", async () => {
    verifies("subscribe:open-while-interrupted");
    verifies("subscribe:close-at-terminal", "stream:broadcast");
    await using runtime = await openTestRuntime({
      run: async ({ ask, authRequired }) => {
        await ask("name?");
        await authRequired("sign in");
        return "done";
      },
    });
    const { id: taskId } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const watching = watchInBackground(runtime.service.subscribeToTask({ id: taskId }, call()));
    await until(() => watching.events.length === 1);
    await runtime.service.sendMessage(say("Ann", { taskId }), call());
    await runtime.service.sendMessage(say("signed in", { taskId }), call());
    await watching.done;
    expect(describeEvents(watching.events)).toEqual([
      "task input_required",
      "status working",
      "status auth_required: sign in",
      "status working",
      "artifact answer = done",
      "status completed",
    ]);
  });

  it.each(["0.1", "0.2", "0.3", "1.0"] as const)(
    "to a task that has ended, in %s",
    async (version) => {
      verifies("subscribe:terminal-task");
      await using runtime = await openTestRuntime({
        run: async function* () {
          yield "x";
        },
      });
      const task = taskOf(await runtime.service.sendMessage(say("go"), call()));
      const events = collect(runtime.service.subscribeToTask({ id: task.id }, call({ version })));
      if (version === "1.0") {
        expect(await refusalCode(events)).toBe("UNSUPPORTED_OPERATION");
      } else {
        expect((await events).map(({ response }) => response)).toEqual([{ task }]);
      }
      expect(runtime.watched).toBe(0);
    },
  );

  it("to a task there is not is refused", async () => {
    verifies("subscribe:unknown-task");
    await using runtime = await openTestRuntime({ run: () => "x" });
    const events = collect(runtime.service.subscribeToTask({ id: "nowhere" }, call()));
    expect(await refusalCode(events)).toBe("TASK_NOT_FOUND");
  });
});

describe("those who watch one task", () => {
  it("see the very same events in the same order, and are independent of each other", async () => {
    verifies("stream:same-events", "stream:independent-close", "stream:task-outlives-stream");
    verifies("stream:immediate-feedback");
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "begun";
        await gate.promise;
        for (let count = 0; count < 100; count += 1) yield `${count} `;
      },
    });
    const sent = watchInBackground(runtime.service.sendStreamingMessage(say("go"), call()));
    await until(() => sent.events.length === 3);
    const id = sent.events[0]?.response.task?.id ?? "";
    const watchers = Array.from({ length: 20 }, () =>
      watchInBackground(runtime.service.subscribeToTask({ id }, call())),
    );
    // Some leave before anything happens, some in the middle of it.
    const leavers = Array.from({ length: 20 }, async (_, index) => {
      let seen = 0;
      for await (const event of runtime.service.subscribeToTask({ id }, call())) {
        expect(event.sequence).toBeDefined();
        if (seen === index) break;
        seen += 1;
      }
    });
    await until(() => watchers.every(({ events }) => events.length === 1));
    gate.resolve();
    await Promise.all([...leavers, ...watchers.map(({ done }) => done), sent.done]);
    const rest = sent.events.slice(3);
    expect(rest).toHaveLength(101);
    for (const { events } of watchers) {
      expect(events.slice(1)).toEqual(rest);
      for (const [index, event] of events.slice(1).entries()) {
        expect(event.response).toBe(rest[index]?.response);
      }
    }
    expect(runtime.watched).toBe(0);
    expect(stateOf(await runtime.service.getTask({ id }, call()))).toBe("completed");
  });

  it("can leave while nothing happens, and are forgotten", async () => {
    await using runtime = await openTestRuntime({ run: () => ({ inputRequired: "?" }) });
    const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const byReturn = runtime.service.subscribeToTask({ id }, call())[Symbol.asyncIterator]();
    await byReturn.next();
    const waiting = byReturn.next();
    await settle();
    expect(runtime.watched).toBe(1);
    await byReturn.return?.();
    expect((await waiting).done).toBe(true);
    expect(runtime.watched).toBe(0);

    const leaving = new AbortController();
    const bySignal = collect(
      runtime.service.subscribeToTask({ id }, call({ signal: leaving.signal })),
    );
    await settle();
    leaving.abort();
    expect(await refusalCode(bySignal)).toBe("UNAVAILABLE");
    expect(runtime.watched).toBe(0);
  });

  it("come back one after the other when they all have to leave at once", async () => {
    await using runtime = await openTestRuntime({ run: () => ({ inputRequired: "?" }) });
    const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const leaving = new AbortController();
    const watching = Array.from({ length: 2500 }, () =>
      refusal(collect(runtime.service.subscribeToTask({ id }, call({ signal: leaving.signal })))),
    );
    await settle();
    leaving.abort();
    const errors = await Promise.all(watching);
    const pauses = errors.map(({ details }) => details.retryAfterSeconds ?? 0);
    expect(Math.min(...pauses)).toBe(1);
    expect(Math.max(...pauses)).toBeLessThan(5);
    const tenths = pauses.map((seconds) => Math.floor(seconds * 10));
    const perTenth = tenths.map((tenth) => tenths.filter((other) => other === tenth).length);
    expect(Math.max(...perTenth)).toBeLessThanOrEqual(110);
  });

  it("may stall as long as they like and still see everything", async () => {
    const chunks = 3000;
    await using runtime = await openTestRuntime({
      run: async function* () {
        for (let count = 0; count < chunks; count += 1) yield `${count} `;
      },
    });
    const stalled = runtime.service.sendStreamingMessage(say("go"), call())[Symbol.asyncIterator]();
    const { value: first } = await stalled.next();
    const id = first?.response.task?.id ?? "";
    let reads = 0;
    intercept(runtime.store, "read", () => (reads += 1));
    await until(async () => stateOf(await runtime.service.getTask({ id }, call())) === "completed");
    const seen = [first, ...(await collect({ [Symbol.asyncIterator]: () => stalled }))];
    expect(seen).toHaveLength(chunks + 3);
    expect(seen.at(-1)?.response.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
    const places = seen.map((event) => event?.sequence ?? 0);
    expect(places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))).toBe(
      true,
    );
    // What is no longer in memory came from the store, page by page.
    expect(reads).toBeGreaterThan(2);
  });
});
