import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import {
  counts,
  hook,
  hour,
  minute,
  openPushing,
  second,
  sequencesOf,
  withHook,
} from "./open-pushing.js";
import { call, openTestRuntime } from "../support/runtime/open-test-runtime.js";
import { fails, hangs } from "./test-receivers.js";
import { settle, until } from "../support/time/until.js";
import { taskOf } from "../support/runtime/answers.js";

describe("nodes that share a store", () => {
  it("deliver each notification once, whoever made it", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    await using one = await openPushing({ store, clock });
    await using other = await openPushing({ store, clock });
    for (const node of [one, other, one, other]) await node.pushTo(hook, "5");
    await until(async () => (await store.countDeliveries("Tested")).waiting === 0);
    const attempts = [...one.receivers.attempts, ...other.receivers.attempts];
    const ids = attempts.map(({ notification }) => notification.id);
    expect(ids.length).toBe(4 * 8);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("take over what a dead one had claimed and left, with the same ids and in order", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const dead = await openPushing({ store, clock });
    dead.receivers.behave(hook, async (notification, signal) =>
      notification.sequence < 5 ? { kind: "arrived" } : hangs(notification, signal),
    );
    await dead.pushTo(hook, "10");
    await until(() => dead.receivers.underWay === 1);
    const before = dead.receivers.attempts.map(({ notification }) => notification);
    dead.freeze();
    await using heir = await openPushing({ store, clock });
    await clock.advance(10 * second);
    expect(heir.receivers.attempts, "as long as the claim lasts").toEqual([]);
    await clock.advance(15 * second);
    const after = heir.receivers.arrivedAt(hook);
    expect(after[0]?.id).toBe(before.at(-1)?.id);
    const all = [...sequencesOf(before.slice(0, -1)), ...sequencesOf(after)];
    expect(all.length).toBe(13);
    expect(all).toEqual(all.toSorted((left, right) => left - right));
  });

  it("give up what takes every node down that tries it", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const settings = { maxPushAttempts: 1 };
    for (let node = 0; node < 5; node += 1) {
      const dies = await openPushing({ store, clock, settings });
      dies.receivers.behave(hook, hangs);
      if (node === 0) await dies.pushTo(hook, "0");
      await until(() => dies.receivers.underWay === 1);
      expect(dies.receivers.attempts[0]?.notification.attempt).toBe(node + 1);
      dies.freeze();
      await clock.advance(25 * second);
    }
    await using survivor = await openPushing({ store, clock, settings });
    await until(() => survivor.receivers.arrivedAt(hook).length === 2);
    const reason = "given up after 5 attempts, none of which came to an end";
    expect(await survivor.service.push.listDead()).toMatchObject([{ sequence: 1, reason }]);
  });

  it("share what a host takes at the same time", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const settings = { maxConcurrentPushesPerHost: 4 };
    await using first = await openPushing({ store, clock, settings });
    const later = [1, 2].map(() => openPushing({ store, clock, settings }));
    const [second, third] = await Promise.all(later);
    // The last to come knows all three.
    expect(third?.service.figures().nodes).toBe(3);
    third?.receivers.behave(hook, hangs);
    for (let count = 0; count < 6; count += 1) await third?.pushTo(hook, "0");
    await until(() => third?.receivers.underWay === 1, "an attempt");
    await settle();
    expect(third?.receivers.mostUnderWay).toBe(1);
    first.receivers.behave(hook, hangs);
    expect(first.service.figures().nodes, "as of its last renewal").toBe(1);
    await first.pushTo(hook, "0");
    await until(() => first.receivers.underWay === 4, "as many as a node may that knows no other");
    second?.freeze();
    third?.freeze();
  });

  it("deliver for their own agent only", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    await using other = await openPushing({ store, clock, name: "Other" });
    const silent = await openPushing({ store, clock });
    silent.receivers.behave(hook, fails);
    await silent.pushTo(hook, "1");
    silent.freeze();
    await clock.advance(hour);
    expect(other.receivers.attempts).toEqual([]);
    expect(await other.service.push.count()).toEqual({ waiting: 0, dead: 0 });
  });
});

describe("a runtime", () => {
  it("that closes lets an attempt end, leaves the rest to others at once, and closes its sender", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const leaving = await openPushing({ store, clock });
    const gate = createDeferred<void>();
    leaving.receivers.behave(hook, async () => {
      await gate.promise;
      return { kind: "arrived" };
    });
    await leaving.pushTo(hook, "5");
    await until(() => leaving.receivers.underWay === 1);
    const closing = leaving.service.close();
    await settle();
    gate.resolve();
    let laterCalls = 0;
    await closing;
    for (const name of ["claimQueues", "nextDeliveryAt", "settleQueue"] as const) {
      intercept(store, name, () => (laterCalls += 1));
    }
    await clock.advance(hour);
    expect(laterCalls, "calls of a store that may be closed by then").toBe(0);
    expect(leaving.receivers.attempts.length).toBe(1);
    expect(leaving.receivers.isClosed).toBe(true);
    await using next = await openPushing({ store, clock });
    await until(() => next.receivers.arrivedAt(hook).length === 7);
  });

  it("that closes does not wait for a receiver that hangs", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const leaving = await openPushing({ store, clock });
    leaving.receivers.behave(hook, hangs);
    await leaving.pushTo(hook, "1");
    const closing = leaving.service.close();
    await clock.advance(second);
    await closing;
    expect(leaving.receivers.underWay).toBe(0);
    await using next = await openPushing({ store, clock });
    await until(() => next.receivers.arrivedAt(hook).length === 4);
  });

  it("without a sender queues nothing, and keeps configurations", async () => {
    await using runtime = await openTestRuntime({
      run: counts,
      capabilities: { pushNotifications: true },
    });
    const { service } = runtime;
    const { id: taskId } = taskOf(await service.sendMessage(withHook("1", { url: hook }), call()));
    expect(await service.push.count()).toEqual({ waiting: 0, dead: 0 });
    const { configs = [] } = await service.listTaskPushNotificationConfigs({ taskId }, call());
    expect(configs.length).toBe(1);
  });

  it("whose store fails for a while delivers afterwards", async () => {
    await using runtime = await openPushing({ settings: { leaseMs: 16 * second } });
    const { receivers, store, clock } = runtime;
    let failures = 0;
    const restore = intercept(store, "claimQueues", () => {
      failures += 1;
      throw new Error("the disk is full");
    });
    await runtime.pushTo(hook, "1");
    await clock.advance(minute);
    expect(failures).toBeGreaterThan(2);
    expect(receivers.attempts).toEqual([]);
    expect(runtime.reports.length).toBe(failures);
    restore();
    await clock.advance(5 * second);
    expect(receivers.arrivedAt(hook).length).toBe(4);
  });

  it("whose store fails to hear what arrived repeats it with the same id", async () => {
    await using runtime = await openPushing();
    const { receivers, store, clock } = runtime;
    const restore = intercept(store, "settleQueue", () => {
      throw new Error("the disk is full");
    });
    await runtime.pushTo(hook, "1");
    await until(() => receivers.arrivedAt(hook).length > 0);
    await settle();
    restore();
    await clock.advance(minute);
    const ids = receivers.arrivedAt(hook).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(4);
    expect(new Set(ids).size).toBe(4);
    const sequences = [...new Set(sequencesOf(receivers.arrivedAt(hook)))];
    expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
  });
});
