import { describe, expect, it } from "vitest";
import type { CallContext } from "../../src/protocol/internal.js";
import { callBy, call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import type { TestRuntimeOptions } from "../support/runtime/open-test-runtime.js";
import { stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { settle } from "../support/time/until.js";

const mib = 1024 * 1024;

/** A runtime whose handlers ask, and count how often they were begun. */
async function openAsking(settings: TestRuntimeOptions["settings"]) {
  const begins = new Map<string, number>();
  const runtime = await openTestRuntime({
    run: async ({ taskId, ask }) => {
      begins.set(taskId, (begins.get(taskId) ?? 0) + 1);
      return textIn((await ask("Well?")).parts);
    },
    settings: { ...settings },
  });
  const begin = async (by: CallContext, text = "go"): Promise<string> =>
    taskOf(await runtime.service.sendMessage(say(text), by)).id;
  /** Answers a question. True when the handler had waited in memory, false when it was begun again. */
  const hasWaited = async (taskId: string, by: CallContext): Promise<boolean> => {
    const task = taskOf(await runtime.service.sendMessage(say("yes", { taskId }), by));
    expect(stateOf(task)).toBe("completed");
    return begins.get(taskId) === 1;
  };
  return { runtime, begin, hasWaited };
}

describe("handlers that wait for answers", () => {
  it("of one caller do not make room for those of another that has far more", async () => {
    const { runtime, begin, hasWaited } = await openAsking({ maxSuspended: 20 });
    await using _ = runtime;
    const [ann, eve] = [callBy("ann"), callBy("eve")];
    const its = [await begin(ann), await begin(ann)];
    const flood: string[] = [];
    for (let count = 0; count < 100; count += 1) flood.push(await begin(eve));
    expect(runtime.service.figures().suspended.waiting).toBe(20);
    for (const id of its) expect(await hasWaited(id, ann)).toBe(true);
    expect(await hasWaited(flood[0] ?? "", eve)).toBe(false);
    expect(await hasWaited(flood.at(-1) ?? "", eve)).toBe(true);
  });

  it("of anonymous callers are told apart by address", async () => {
    const { runtime, begin, hasWaited } = await openAsking({ maxSuspended: 10 });
    await using _ = runtime;
    const here = call({ address: "192.0.2.1" });
    const id = await begin(here);
    for (let count = 0; count < 50; count += 1) await begin(call({ address: "192.0.2.2" }));
    expect(await hasWaited(id, here)).toBe(true);
  });

  it("are bounded by the bytes of their messages, and who has the most loses the oldest", async () => {
    const { runtime, begin, hasWaited } = await openAsking({ maxSuspendedBytes: 8 * mib });
    await using _ = runtime;
    const [ann, eve] = [callBy("ann"), callBy("eve")];
    const its: string[] = [];
    for (let count = 0; count < 10; count += 1) its.push(await begin(ann));
    const flood: string[] = [];
    for (let count = 0; count < 20; count += 1) flood.push(await begin(eve, "x".repeat(mib)));
    const { waiting, bytes } = runtime.service.figures().suspended;
    expect(bytes).toBeLessThanOrEqual(8 * mib);
    expect(bytes).toBeGreaterThan(6 * mib);
    expect(waiting).toBeLessThan(18);
    for (const id of its) expect(await hasWaited(id, ann)).toBe(true);
    expect(await hasWaited(flood[0] ?? "", eve)).toBe(false);
    expect(await hasWaited(flood.at(-1) ?? "", eve)).toBe(true);
  });

  it("count nothing once they are answered", async () => {
    const { runtime, begin, hasWaited } = await openAsking({});
    await using _ = runtime;
    const ids = [await begin(call()), await begin(callBy("ann"))];
    await hasWaited(ids[0] ?? "", call());
    await hasWaited(ids[1] ?? "", callBy("ann"));
    await settle();
    expect(runtime.service.figures().suspended).toEqual({ waiting: 0, bytes: 0 });
  });
});
