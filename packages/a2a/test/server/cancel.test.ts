import { describe, expect, it } from "vitest";
import type { Task } from "../../src/protocol/internal.js";
import type { Handler } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { createTestClock } from "../../src/testing/index.js";
import { verifies } from "../spec/verifies.js";
import { openFolder } from "../support/files/open-folder.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import {
  artifactText,
  refusal,
  refusalCode,
  stateOf,
  taskOf,
  textIn,
} from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";
import { watchInBackground } from "../support/streams.js";

async function begin({ service }: TestRuntime): Promise<string> {
  return taskOf(await service.sendMessage(sayAndLeave("go"), call())).id;
}

/** Waits until the signal is aborted, then throws as `fetch` would. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")));
  });
}

describe("canceling a task at work", () => {
  it.each<[string, Handler]>([
    [
      "throws",
      async function* ({ signal }) {
        yield "x";
        await untilAborted(signal);
      },
    ],
    [
      "returns",
      async ({ signal, step }) => {
        await step("begin", () => 1);
        await untilAborted(signal).catch(() => undefined);
      },
    ],
    [
      "yields, without looking at its signal",
      async function* ({ signal }) {
        yield "x";
        await untilAborted(signal).catch(() => undefined);
        yield "never said";
        throw new Error("never reached");
      },
    ],
    [
      "fails",
      async function* ({ signal, fail }) {
        yield "x";
        await untilAborted(signal).catch(() => fail("not so"));
      },
    ],
    [
      "asks",
      async function* ({ signal, ask }) {
        yield "x";
        await untilAborted(signal).catch(() => ask("really?"));
      },
    ],
  ])("aborts its signal; the task is canceled when the handler %s", async (_, run) => {
    verifies("cancel:updated-task");
    await using runtime = await openTestRuntime({ run });
    const id = await begin(runtime);
    const watching = watchInBackground(runtime.service.subscribeToTask({ id }, call()));
    const task = await runtime.service.cancelTask({ id }, call());
    expect(stateOf(task)).toBe("canceled");
    expect(await runtime.service.getTask({ id }, call())).toEqual(task);
    await watching.done;
    expect(watching.events.at(-1)?.response.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
    expect(JSON.stringify(watching.events)).not.toContain("never said");
    expect(runtime.reports).toEqual([]);
    expect(runtime.watched).toBe(0);
    // No time had to pass.
    expect(Date.parse(task.status.timestamp ?? "")).toBe(runtime.clock.now());
  });

  it("gives the handler time to clean up, and keeps what it returns", async () => {
    const gate = createDeferred<void>();
    const steps: string[] = [];
    await using runtime = await openTestRuntime({
      run: async ({ signal, step }) => {
        await step("book", () => steps.push("booked"));
        await untilAborted(signal).catch(() => undefined);
        await gate.promise;
        await step("undo", () => steps.push("undone"));
        return "Rolled back.";
      },
    });
    const id = await begin(runtime);
    const canceling = runtime.service.cancelTask({ id }, call());
    await runtime.clock.advance(4000);
    gate.resolve();
    const task = await canceling;
    expect(stateOf(task)).toBe("canceled");
    expect(artifactText(task)).toBe("Rolled back.");
    expect(steps).toEqual(["booked", "undone"]);
  });

  it("closes it when the grace period is over, whatever the handler does then", async () => {
    const gate = createDeferred<void>();
    let reached = 0;
    await using runtime = await openTestRuntime({
      run: async function* ({ step, ask }) {
        yield "x";
        await gate.promise;
        reached += 1;
        await Promise.race([step("late", () => (reached += 10)), ask("late?"), settle()]);
        yield "late";
        reached += 100;
      },
      settings: { cancelGraceMs: 3000 },
    });
    const id = await begin(runtime);
    let isAnswered = false;
    const canceling = runtime.service.cancelTask({ id }, call()).finally(() => {
      isAnswered = true;
    });
    await runtime.clock.advance(2999);
    expect(isAnswered).toBe(false);
    await runtime.clock.advance(1);
    const task = await canceling;
    expect(stateOf(task)).toBe("canceled");
    const before = await runtime.store.load(id);
    gate.resolve();
    for (let count = 0; count < 5; count += 1) await settle();
    expect(await runtime.store.load(id)).toEqual(before);
    expect(reached).toBe(1);
    expect(runtime.reports).toEqual([]);
    expect(runtime.watched).toBe(0);
  });

  it("is not held up by a handler that never stops talking", async () => {
    let isStopped = false;
    await using runtime = await openTestRuntime({
      run: async ({ step }) => {
        // Not even a generator: nothing ends it from outside.
        while (!isStopped) await step("again", () => 1);
      },
    });
    const id = await begin(runtime);
    const canceling = runtime.service.cancelTask({ id }, call());
    await runtime.clock.advance(5000);
    expect(stateOf(await canceling)).toBe("canceled");
    isStopped = true;
  });

  it("reaches a handler through a copy of its context", async () => {
    let reason: unknown;
    await using runtime = await openTestRuntime({
      run: async function* (context) {
        const { signal } = { ...context };
        yield "begun";
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        ({ reason } = signal);
      },
    });
    const id = await begin(runtime);
    expect(stateOf(await runtime.service.cancelTask({ id }, call()))).toBe("canceled");
    await settle();
    expect(reason).toBeInstanceOf(Error);
  });

  it("does not start a run that still waits for its turn", async () => {
    const started: string[] = [];
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async ({ text }) => {
        started.push(text);
        await gate.promise;
      },
      settings: { maxConcurrentRuns: 1 },
    });
    const sends = ["first", "second", "third", "fourth"].map((text) =>
      runtime.service.sendMessage(sayAndLeave(text), call()),
    );
    await runtime.clock.advance(50);
    const [, , third] = (await Promise.all(sends)).map(taskOf);
    const task = await runtime.service.cancelTask({ id: third?.id ?? "" }, call());
    expect(stateOf(task)).toBe("canceled");
    gate.resolve();
    await settle();
    expect(started).toEqual(["first", "second", "fourth"]);
    expect(runtime.watched).toBe(0);
  });

  it("leaves those alone that wait for their turn before it", async () => {
    const started: string[] = [];
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async ({ text }) => {
        started.push(text);
        await gate.promise;
      },
      settings: { maxConcurrentRuns: 1 },
    });
    const sends = ["first", "second", "third", "fourth"].map((text) =>
      runtime.service.sendMessage(sayAndLeave(text), call()),
    );
    await runtime.clock.advance(50);
    const [, , , fourth] = (await Promise.all(sends)).map(taskOf);
    await runtime.service.cancelTask({ id: fourth?.id ?? "" }, call());
    await settle();
    expect(started).toEqual(["first", "second"]);
    gate.resolve();
    await settle();
    expect(started).toEqual(["first", "second", "third"]);
  });

  it("answers all who ask at once", async () => {
    await using runtime = await openTestRuntime({
      run: async function* ({ signal }) {
        yield "x";
        await untilAborted(signal);
      },
    });
    const id = await begin(runtime);
    const tasks = await Promise.all(
      [1, 2, 3].map(() => runtime.service.cancelTask({ id }, call())),
    );
    expect(tasks.map(stateOf)).toEqual(["canceled", "canceled", "canceled"]);
  });

  it("answers a node that another one overtakes", async () => {
    const run: Handler = async function* () {
      yield "x";
      await new Promise(() => undefined);
    };
    const settings = { stopGraceMs: 0 };
    await using one = await openTestRuntime({ run, settings });
    const { store, clock } = one;
    await using two = await openTestRuntime({ run, store, clock, settings });
    const id = await begin(one);
    let overtaking: Promise<Task> | undefined;
    intercept(store, "append", async ({ events }) => {
      if (overtaking !== undefined || !JSON.stringify(events).includes("CANCELED")) return;
      overtaking = two.service.cancelTask({ id }, call());
      await settle();
      await clock.advance(5000);
      await overtaking;
    });
    const canceling = one.service.cancelTask({ id }, call());
    await clock.advance(5000);
    expect(stateOf(await canceling)).toBe("canceled");
    expect((await overtaking)?.status.state).toBe("TASK_STATE_CANCELED");
    expect([...one.reports, ...two.reports]).toEqual([]);
  });

  describe.each(["memory", "SQLite"])("over %s", (engine) => {
    it.each([1, 2])(
      "answers all who ask, though its handler never stops: %i nodes",
      async (count) => {
        await using folder = await openFolder();
        const clock = createTestClock();
        const memory = createMemoryStore({ clock });
        const nodes: TestRuntime[] = [];
        for (let number = 0; number < count; number += 1) {
          const store =
            engine === "memory" ? memory : await openSqliteStore({ path: folder.file(), clock });
          const run: Handler = async function* () {
            yield "x";
            await new Promise(() => undefined);
          };
          nodes.push(await openTestRuntime({ run, store, clock, settings: { stopGraceMs: 0 } }));
        }
        const [first] = nodes;
        if (first === undefined) throw new Error("there is no node");
        const id = await begin(first);
        const cancels = [...nodes, ...nodes].map(({ service }) =>
          service.cancelTask({ id }, call()),
        );
        let answered = 0;
        for (const canceling of cancels)
          void canceling.finally(() => (answered += 1)).catch(() => 0);
        await until(async () => {
          await clock.advance(1000);
          return answered === cancels.length;
        }, "all answers");
        for (const task of await Promise.all(cancels)) expect(stateOf(task)).toBe("canceled");
        for (const node of nodes) expect(node.reports).toEqual([]);
        for (const node of nodes) await node[Symbol.asyncDispose]();
      },
    );
  });
});

describe("canceling a task", () => {
  it.each(["ask", "authRequired"] as const)("that waits after %s ends it at once", async (verb) => {
    await using runtime = await openTestRuntime({
      run: async (context) => textIn((await context[verb]("?")).parts),
    });
    const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const task = await runtime.service.cancelTask({ id }, call());
    expect(stateOf(task)).toBe("canceled");
    await until(() => runtime.watched === 0, "the handler to be let go");
    const more = runtime.service.sendMessage(say("more", { taskId: id }), call());
    expect(await refusalCode(more)).toBe("UNSUPPORTED_OPERATION");
  });

  it.each(["ask", "authRequired"] as const)(
    "whose handler has told something and waits after %s lets the handler clean up",
    async (verb) => {
      const left: string[] = [];
      const run: Handler = async function* (context) {
        try {
          yield "Let me see. ";
          await context[verb]("?");
        } catch (error) {
          left.push((error as Error).message);
          throw error;
        } finally {
          left.push("cleaned up");
        }
      };
      await using runtime = await openTestRuntime({ run });
      const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
      await settle();
      await runtime.service.cancelTask({ id }, call());
      await until(() => left.length === 2, "the handler to end");
      expect(left).toEqual(["the task was canceled", "cleaned up"]);
    },
  );

  it("that somebody else has just gone on with ends it before its run begins", async () => {
    let runs = 0;
    const run: Handler = () => {
      runs += 1;
      return { inputRequired: "?" };
    };
    const clock = createTestClock();
    const store = { ...createMemoryStore({ clock }), isShared: true };
    await using one = await openTestRuntime({ run, store, clock });
    await using two = await openTestRuntime({ run, store, clock });
    const { id } = taskOf(await one.service.sendMessage(say("go"), call()));
    const stateIs = async (state: string): Promise<boolean> =>
      (await store.loadRecord(id))?.state === state;
    let sending: Promise<unknown> | undefined;
    intercept(store, "append", async ({ events }) => {
      const written = JSON.stringify(events);
      if (written.includes("TASK_STATE_CANCELED") && sending === undefined) {
        sending = two.service.sendMessage(say("on", { taskId: id }), call());
        await until(() => stateIs("TASK_STATE_WORKING"));
      }
      if (written.includes("run-started")) await until(() => stateIs("TASK_STATE_CANCELED"));
    });
    expect(stateOf(await one.service.cancelTask({ id }, call()))).toBe("canceled");
    // There is no bus between them: the other looks every second, and not right after it has written.
    await clock.advance(2000);
    await sending;
    expect(runs).toBe(1);
    expect([...one.reports, ...two.reports]).toEqual([]);
    expect([one.watched, two.watched]).toEqual([0, 0]);
  });

  it("that is canceled is refused, and changes nothing", async () => {
    verifies("cancel:not-cancelable", "cancel:idempotent");
    await using runtime = await openTestRuntime({ run: () => ({ inputRequired: "?" }) });
    const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    await runtime.service.cancelTask({ id }, call());
    const before = await runtime.store.load(id);
    const error = await refusal(runtime.service.cancelTask({ id }, call()));
    expect(error.code).toBe("TASK_NOT_CANCELABLE");
    expect(error.message).toContain("canceled");
    expect(error.details.metadata).toEqual({ taskId: id, taskState: "canceled" });
    expect(await runtime.store.load(id)).toEqual(before);
    expect(runtime.watched).toBe(0);
  });

  it.each(["completed", "failed", "rejected"])("that is %s is refused", async (state) => {
    verifies("cancel:not-cancelable");
    await using runtime = await openTestRuntime({
      run: async ({ fail, reject, step }) => {
        await step("begin", () => 1);
        if (state === "failed") fail("no");
        if (state === "rejected") reject("no");
      },
    });
    const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const error = await refusal(runtime.service.cancelTask({ id }, call()));
    expect(error.code).toBe("TASK_NOT_CANCELABLE");
    expect(error.message).toContain(state);
    expect(error.details.metadata).toEqual({ taskId: id, taskState: state });
    expect(runtime.watched).toBe(0);
  });

  it("there is not is refused", async () => {
    verifies("cancel:unknown-task");
    await using runtime = await openTestRuntime({ run: () => "x" });
    expect(await refusalCode(runtime.service.cancelTask({ id: "none" }, call()))).toBe(
      "TASK_NOT_FOUND",
    );
  });

  it("that ends meanwhile is refused as one that has ended", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "x";
        await gate.promise;
      },
    });
    const id = await begin(runtime);
    gate.resolve();
    // The end is on its way when the wish arrives.
    const outcome = await runtime.service
      .cancelTask({ id }, call())
      .then(stateOf, (error: Error) => error.message);
    const task = await runtime.service.getTask({ id }, call());
    expect(outcome).toContain(stateOf(task));
  });
});
