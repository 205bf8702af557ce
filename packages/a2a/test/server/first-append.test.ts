import { describe, expect, it } from "vitest";
import type { EventIterator } from "../../src/protocol/internal.js";
import type { Store } from "../../src/store/index.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import { artifactText, describeEvents, taskOf } from "../support/runtime/answers.js";
import { collect, watchInBackground } from "../support/streams.js";
import { until } from "../support/time/until.js";

/** What every task begins with that is worked on at once. */
const beginning = ["task-created", "message-added", "run-started", "status-changed"];

/** The kinds of what is stored from now on, append by append. */
function recordAppends(store: Store): string[][] {
  const appends: string[][] = [];
  intercept(store, "append", ({ events }) => void appends.push(events.map(({ kind }) => kind)));
  return appends;
}

describe("a task that begins", () => {
  it("costs a task that waits for nothing one append, its end included", async () => {
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "a";
      },
    });
    const appends = recordAppends(runtime.store);
    const events = await collect(runtime.service.sendStreamingMessage(say("go"), call()));
    expect(describeEvents(events)).toEqual([
      "task submitted",
      "status working",
      "artifact answer = a",
      "status completed",
    ]);
    expect(appends).toEqual([[...beginning, "artifact-updated", "status-changed"]]);
  });

  it("stores the outputs before a handler waits with the task, and its last words with its end", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "a";
        yield "b";
        await gate.promise;
        yield "c";
      },
    });
    const appends = recordAppends(runtime.store);
    const watching = watchInBackground(runtime.service.sendStreamingMessage(say("go"), call()));
    await until(() => describeEvents(watching.events).length === 4);
    expect(appends).toEqual([[...beginning, "artifact-updated", "artifact-updated"]]);
    gate.resolve();
    await watching.done;
    expect(appends.slice(1)).toEqual([["artifact-updated", "status-changed"]]);
  });

  it("begins when the agent first has something to say, not when its message came", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        await gate.promise;
        yield "a";
      },
    });
    const receivedAt = runtime.clock.now();
    const watching = watchInBackground(runtime.service.sendStreamingMessage(say("go"), call()));
    await runtime.clock.advance(1500);
    gate.resolve();
    await watching.done;
    const times = watching.events.flatMap(({ response: { task, statusUpdate } }) => {
      const { timestamp } = task?.status ?? statusUpdate?.status ?? {};
      return timestamp === undefined ? [] : [Date.parse(timestamp) - receivedAt];
    });
    // Created, working, completed: who lists what is new since a moment misses none.
    expect(times).toEqual([1500, 1500, 1500]);
  });

  it("answers with a task as soon as it is stored, however much is in it", async () => {
    await using runtime = await openTestRuntime({
      run: async function* () {
        for (let count = 0; count < 60; count += 1) yield `${count} `;
      },
    });
    let turns = -1;
    intercept(runtime.store, "append", () => {
      turns = 0;
      const count = (): void => {
        turns += 1;
        if (turns < 100) setImmediate(count);
      };
      setImmediate(count);
    });
    await runtime.service.sendMessage(say("go"), call());
    expect(turns).toBeLessThan(2);
  });

  it("gives what is there already to who does not wait, and no more than others have time for", async () => {
    await using runtime = await openTestRuntime({
      run: async function* () {
        for (let count = 0; count < 40; count += 1) yield `${count} `;
      },
    });
    const stream = runtime.service.sendStreamingMessage(say("go"), call());
    const events: EventIterator = stream[Symbol.asyncIterator]();
    expect(events.take?.()).toBeUndefined();
    const waiting = events.next();
    expect(events.take?.()).toBeUndefined();
    const seen = [(await waiting).value];
    const batches: number[] = [];
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      const before = seen.push(next.value);
      for (let event = events.take?.(); event !== undefined; event = events.take?.()) {
        seen.push(event);
      }
      batches.push(seen.length - before + 1);
    }
    expect(batches).toEqual([16, 16, 10]);
    expect(events.take?.()).toBeUndefined();
    const id = seen[0]?.response.task?.id ?? "";
    const again = runtime.service.subscribeToTask({ id }, call({ resumeAfter: 2 }));
    expect(await collect(again)).toEqual(seen.slice(1));
  });

  it("makes a handler that says much without waiting wait until its task is stored", async () => {
    await using runtime = await openTestRuntime({
      run: async function* () {
        for (let count = 0; count < 200; count += 1) yield `${count} `;
      },
    });
    const appends = recordAppends(runtime.store);
    const task = taskOf(await runtime.service.sendMessage(say("go"), call()));
    const numbers = Array.from({ length: 200 }, (_, count) => `${count} `);
    expect(artifactText(task)).toBe(numbers.join(""));
    expect(appends[0]).toHaveLength(beginning.length + 64);
    expect(appends.flat().filter((kind) => kind === "artifact-updated")).toHaveLength(200);
  });
});
