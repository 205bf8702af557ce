import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../src/protocol/internal.js";
import { createDeferred } from "../support/time/deferred.js";
import { call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { collect, watchInBackground } from "../support/streams.js";
import { describeEvents, refusalCode } from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";

/** A task of so many chunks, and the whole stream of the send that made it. */
async function makeTask({ service }: TestRuntime): Promise<{ id: string; all: StreamEvent[] }> {
  const all = await collect(service.sendStreamingMessage(say("go"), call()));
  return { id: all[0]?.response.task?.id ?? "", all };
}

function after(events: readonly StreamEvent[], place: number): StreamEvent[] {
  return events.filter(({ sequence = 0 }) => sequence > place);
}

/** Long streams are compared as text, which is fast. */
function inShort(events: readonly StreamEvent[]): string {
  return describeEvents(events)
    .map((event, index) => `${events[index]?.sequence} ${event}`)
    .join("\n");
}

function chunks(count: number) {
  return async function* () {
    for (let index = 0; index < count; index += 1) yield `${index} `;
  };
}

describe("who continues after an event", () => {
  it.each([
    ["from memory", 20],
    ["from the store", 2500],
  ])("is told exactly what came after it: %s", async (_, count) => {
    await using runtime = await openTestRuntime({ run: chunks(count) });
    const { id, all } = await makeTask(runtime);
    const last = all.at(-1)?.sequence ?? 0;
    const middle = Math.floor(last / 2);
    for (const resumeAfter of [0, 1, 2, 3, 4, 5, middle, last - 2049, last - 2, last - 1, last]) {
      if (resumeAfter < 0) continue;
      const stream = runtime.service.subscribeToTask({ id }, call({ resumeAfter }));
      expect(inShort(await collect(stream))).toEqual(inShort(after(all, resumeAfter)));
    }
    expect(runtime.watched).toBe(0);
  });

  it("is told so while the task goes on, in the store and in memory alike", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield* chunks(2500)();
        await gate.promise;
        yield* chunks(50)();
      },
    });
    const sent = watchInBackground(runtime.service.sendStreamingMessage(say("go"), call()));
    await until(() => sent.events.length === 2502);
    const id = sent.events[0]?.response.task?.id ?? "";
    const last = sent.events.at(-1)?.sequence ?? 0;
    const starts = [0, 2, 100, 1000, last - 1, last];
    const watchers = starts.map((resumeAfter) =>
      watchInBackground(runtime.service.subscribeToTask({ id }, call({ resumeAfter }))),
    );
    await settle();
    gate.resolve();
    await Promise.all([sent.done, ...watchers.map(({ done }) => done)]);
    for (const [index, { events }] of watchers.entries()) {
      expect(inShort(events)).toEqual(inShort(after(sent.events, starts[index] ?? 0)));
    }
  });

  it("may do so in every version, and when the task has ended", async () => {
    await using runtime = await openTestRuntime({ run: chunks(3) });
    const { id, all } = await makeTask(runtime);
    for (const version of ["0.1", "0.2", "0.3", "1.0"] as const) {
      const stream = runtime.service.subscribeToTask({ id }, call({ version, resumeAfter: 5 }));
      expect(await collect(stream)).toEqual(after(all, 5));
    }
  });

  it("begins anew when it has seen what this task never had", async () => {
    await using runtime = await openTestRuntime({ run: () => ({ inputRequired: "?" }) });
    const { id } = await makeTask(runtime);
    const stream = runtime.service.subscribeToTask({ id }, call({ resumeAfter: 999 }));
    const first = await stream[Symbol.asyncIterator]().next();
    expect(describeEvents(first.done === true ? [] : [first.value])).toEqual([
      "task input_required",
    ]);
    await stream[Symbol.asyncIterator]().return?.();
    await runtime.service.cancelTask({ id }, call());
    const late = collect(runtime.service.subscribeToTask({ id }, call({ resumeAfter: 999 })));
    expect(await refusalCode(late)).toBe("UNSUPPORTED_OPERATION");
  });

  it("goes on at another node, also one that has not seen the task", async () => {
    await using first = await openTestRuntime({ run: chunks(10) });
    const { id, all } = await makeTask(first);
    await using second = await openTestRuntime({
      run: chunks(10),
      store: first.store,
      clock: first.clock,
    });
    const stream = second.service.subscribeToTask({ id }, call({ resumeAfter: 7 }));
    expect(await collect(stream)).toEqual(after(all, 7));
  });
});
