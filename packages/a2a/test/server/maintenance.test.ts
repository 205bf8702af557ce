import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { verifies } from "../spec/verifies.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import {
  call,
  callBy,
  openTestRuntime,
  say,
  sayAndLeave,
} from "../support/runtime/open-test-runtime.js";
import { refusalCode, taskOf } from "../support/runtime/answers.js";

const minute = 60_000;

describe("retention", () => {
  it("deletes tasks that ended long enough ago, and no others", async () => {
    verifies("security:data-retention", "security:data-deletion");
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* ({ text, ask }) {
        yield text;
        if (text === "waiting") await ask("?");
        if (text === "working") await gate.promise;
      },
      settings: { retentionMs: 3 * minute, leaseMs: 60 * minute },
    });
    const { service, clock } = runtime;
    const send = async (text: string): Promise<string> =>
      taskOf(await service.sendMessage(sayAndLeave(text), callBy("ann", { idempotencyKey: text })))
        .id;
    const [old, waiting, working] = [
      await send("old"),
      await send("waiting"),
      await send("working"),
    ];
    await clock.advance(2 * minute);
    const recent = await send("recent");
    const ids = async () => {
      const { tasks } = await service.listTasks({}, callBy("ann"));
      return new Set(tasks.map(({ id }) => id));
    };
    expect(await ids()).toEqual(new Set([old, waiting, working, recent]));
    await clock.advance(2 * minute);
    expect(await ids()).toEqual(new Set([waiting, working, recent]));
    expect(await refusalCode(service.getTask({ id: old }, callBy("ann")))).toBe("TASK_NOT_FOUND");
    expect(await refusalCode(service.cancelTask({ id: old }, callBy("ann")))).toBe(
      "TASK_NOT_FOUND",
    );
    // A key goes with its task.
    expect(await send("old")).not.toBe(old);
    gate.resolve();
  });

  it("keeps everything when there is none", async () => {
    await using runtime = await openTestRuntime({
      run: async function* () {
        yield "x";
      },
      settings: { leaseMs: 60 * minute },
    });
    await runtime.service.sendMessage(say("go"), call());
    await runtime.clock.advance(5 * minute);
    expect((await runtime.service.listTasks({}, call())).totalSize).toBe(1);
  });

  it("works in small batches until it is done", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const batches: number[] = [];
    let left = 1200;
    store.deleteEnded = async (_, limit) => {
      const count = Math.min(limit, left);
      left -= count;
      batches.push(count);
      return count;
    };
    let keys = 1100;
    store.deleteExpiredKeys = async (_, limit) => {
      const count = Math.min(limit, keys);
      keys -= count;
      return count;
    };
    await using runtime = await openTestRuntime({
      run: () => "x",
      store,
      clock,
      settings: { retentionMs: minute, leaseMs: 60 * minute },
    });
    await runtime.clock.advance(minute);
    expect(batches).toEqual([500, 500, 200]);
    expect(keys).toBe(0);
  });
});

describe("what a node does by itself", () => {
  it("is done one after the other, however long it takes", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const gate = createDeferred<void>();
    let underWay = 0;
    let most = 0;
    let calls = 0;
    intercept(store, "claimAbandoned", async () => {
      calls += 1;
      most = Math.max(most, (underWay += 1));
      if (calls === 2) await gate.promise;
      underWay -= 1;
    });
    await using runtime = await openTestRuntime({
      run: () => "x",
      store,
      clock,
      settings: { leaseMs: 4000 },
    });
    await runtime.clock.advance(10_000);
    expect([calls, most]).toEqual([2, 1]);
    gate.resolve();
    await runtime.clock.advance(2000);
    expect([calls, most]).toEqual([4, 1]);
  });

  it("keeps one lease alive, whatever else is slow", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const gate = createDeferred<void>();
    intercept(store, "deleteExpiredKeys", () => gate.promise);
    const renewals = new Map<string, number[]>();
    intercept(store, "renewNode", (node, forMs) => {
      renewals.set(node, [...(renewals.get(node) ?? []), clock.now() + forMs]);
    });
    await using runtime = await openTestRuntime({
      run: () => "x",
      store,
      clock,
      settings: { leaseMs: 4000 },
    });
    intercept(store, "claimAbandoned", () => gate.promise);
    const begun = runtime.clock.now();
    await runtime.clock.advance(100_000);
    const [untils = []] = renewals.values();
    expect(renewals.size).toBe(1);
    // It never runs out before it is renewed, and never lasts longer than it may.
    for (const [index, until] of untils.entries()) {
      expect(until - begun).toBeGreaterThanOrEqual(index * 1000);
    }
    expect(untils.length).toBeGreaterThanOrEqual(100);
    gate.resolve();
  });
});

describe("the extended card", () => {
  it("is for those who ask an agent that has one", async () => {
    await using runtime = await openTestRuntime({
      run: () => "x",
      extendedCard: (card, { principal }) => ({ ...card, name: `For ${principal?.subject}` }),
    });
    const card = await runtime.service.getExtendedAgentCard({}, callBy("ann"));
    expect(card).toEqual({ ...runtime.service.card([]), name: "For ann" });
    expect(card.capabilities.extendedAgentCard).toBe(true);
  });

  it.each([false, true])("is for authenticated callers, or for anyone: %s", async (forAnyone) => {
    verifies("extended-card:requires-authentication");
    await using runtime = await openTestRuntime({
      run: () => "x",
      extendedCard: (card) => ({ ...card, name: "Extended" }),
      settings: { extendedCardForAnyone: forAnyone },
    });
    const reading = runtime.service.getExtendedAgentCard({}, call());
    if (forAnyone) expect((await reading).name).toBe("Extended");
    else expect(await refusalCode(reading)).toBe("UNAUTHENTICATED");
  });

  it.each([
    ["does not declare one", {}, "UNSUPPORTED_OPERATION"],
    [
      "declares one and has none",
      { extendedAgentCard: true },
      "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
    ],
  ])("is refused by an agent that %s", async (_, declared, code) => {
    verifies("extended-card:undeclared", "extended-card:not-configured");
    await using runtime = await openTestRuntime({ run: () => "x", capabilities: declared });
    expect(await refusalCode(runtime.service.getExtendedAgentCard({}, callBy("ann")))).toBe(code);
  });
});
