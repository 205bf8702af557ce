import { describe, expect, it } from "vitest";
import { verifies } from "../spec/verifies.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { hook, hour, minute, openPushing, second, withHook } from "./open-pushing.js";
import { call, say } from "../support/runtime/open-test-runtime.js";
import { arrives, fails, hangs } from "./test-receivers.js";
import { refusal, taskOf } from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";

describe("receivers do not disturb each other", () => {
  it("when one hangs: its attempts end in time, and others get theirs at once", async () => {
    verifies("push:timeout");
    await using runtime = await openPushing();
    const { receivers, clock } = runtime;
    receivers.behave("https://slow.example/", hangs);
    const startedAt = clock.now();
    for (let index = 0; index < 40; index += 1) await runtime.pushTo("https://slow.example/", "0");
    await runtime.pushTo(hook, "1");
    await until(() => receivers.arrivedAt(hook).length === 4);
    expect(clock.now()).toBe(startedAt);
    expect(receivers.underWay).toBe(8);
    await clock.advance(10 * second);
    await settle();
    // It is known to be slow by now.
    expect(receivers.underWay).toBe(1);
    await runtime.pushTo(hook, "1");
    await until(() => receivers.arrivedAt(hook).length === 8);
  });

  it("when many hosts hang, more than there are places", async () => {
    const settings = { maxConcurrentPushes: 8, maxConcurrentPushesPerHost: 4 };
    await using runtime = await openPushing({ settings });
    const { receivers, clock } = runtime;
    for (let host = 0; host < 4; host += 1) {
      const url = `https://slow${host}.example/`;
      receivers.behave(url, hangs);
      for (let index = 0; index < 10; index += 1) await runtime.pushTo(url, "0");
    }
    await until(() => receivers.underWay === 8);
    await clock.advance(20 * second);
    await runtime.pushTo(hook, "1");
    await clock.advance(10 * second);
    expect(receivers.arrivedAt(hook).length).toBe(4);
    expect(receivers.mostUnderWay).toBe(8);
  });

  it("when one has more to get than places: what failed elsewhere is tried again in time", async () => {
    await using runtime = await openPushing({ settings: { maxConcurrentPushesPerHost: 1 } });
    const { receivers, clock } = runtime;
    receivers.behave("https://slow.example/", hangs);
    for (let index = 0; index < 3; index += 1) await runtime.pushTo("https://slow.example/", "0");
    await until(() => receivers.underWay === 1);
    receivers.behave(hook, fails);
    await runtime.pushTo(hook, "0");
    const attemptsAtHook = () => receivers.attempts.filter(({ url }) => url === hook).length;
    await until(() => attemptsAtHook() === 1);
    receivers.behave(hook, arrives);
    await clock.advance(3 * second);
    expect(receivers.underWay).toBe(1);
    expect(attemptsAtHook()).toBeGreaterThan(1);
  });

  it("when one address of a host fails fast: the others of that host get theirs", async () => {
    await using runtime = await openPushing();
    const { receivers } = runtime;
    receivers.behave(`${hook}broken`, fails);
    for (let index = 0; index < 40; index += 1) await runtime.pushTo(`${hook}broken`, "0");
    await runtime.pushTo(hook, "1");
    await until(() => receivers.arrivedAt(hook).length === 4);
  });

  it("when a slow one answers again: it gets all its places back", async () => {
    await using runtime = await openPushing();
    const { receivers, clock } = runtime;
    receivers.behave(hook, hangs);
    for (let index = 0; index < 40; index += 1) await runtime.pushTo(hook, "0");
    await clock.advance(11 * second);
    receivers.behave(hook, arrives);
    await clock.advance(10 * minute);
    expect(receivers.arrivedAt(hook).length).toBe(120);
    const gates = createDeferred<void>();
    receivers.behave(hook, async () => {
      await gates.promise;
      return { kind: "arrived" };
    });
    for (let index = 0; index < 40; index += 1) await runtime.pushTo(hook, "0");
    await until(() => receivers.underWay === 8);
    gates.resolve();
  });
});

describe("a configuration", () => {
  it("that is deleted hears nothing more, also of what waits", async () => {
    verifies("push:delete-stops-delivery");
    await using runtime = await openPushing();
    const { receivers, clock, service } = runtime;
    receivers.behave(hook, fails);
    const { id: taskId } = await runtime.pushTo(hook, "3");
    await clock.advance(minute);
    const { configs = [] } = await service.listTaskPushNotificationConfigs({ taskId }, call());
    const before = receivers.attempts.length;
    await service.deleteTaskPushNotificationConfig({ taskId, id: configs[0]?.id ?? "" }, call());
    receivers.behave(hook, arrives);
    await clock.advance(hour);
    expect(receivers.attempts.length).toBe(before);
    expect(await service.push.count()).toEqual({ waiting: 0, dead: 0 });
    expect(runtime.reports).toEqual([]);
  });

  it("that is deleted while a notification is under way hears no more after it", async () => {
    await using runtime = await openPushing();
    const { receivers, service, clock } = runtime;
    const gate = createDeferred<void>();
    receivers.behave(hook, async () => {
      await gate.promise;
      return { kind: "arrived" };
    });
    const { id: taskId } = await runtime.pushTo(hook, "3");
    await until(() => receivers.underWay === 1);
    const { configs = [] } = await service.listTaskPushNotificationConfigs({ taskId }, call());
    await service.deleteTaskPushNotificationConfig({ taskId, id: configs[0]?.id ?? "" }, call());
    gate.resolve();
    await clock.advance(hour);
    expect(receivers.attempts.length).toBe(1);
    expect(runtime.reports).toEqual([]);
  });

  it("that is replaced while its receiver is down is tried at once at its new address", async () => {
    await using runtime = await openPushing();
    const { receivers, service, clock } = runtime;
    receivers.behave(hook, fails);
    const { id: taskId } = await runtime.pushTo(hook, "1");
    await clock.advance(2 * hour);
    const { configs = [] } = await service.listTaskPushNotificationConfigs({ taskId }, call());
    const moved = { taskId, id: configs[0]?.id ?? "", url: "https://new.example/" };
    await service.createTaskPushNotificationConfig(moved, call());
    await until(() => receivers.arrivedAt("https://new.example/").length === 4);
  });

  it("that the sender does not admit is refused, and nothing is written", async () => {
    await using runtime = await openPushing();
    const { service, store } = runtime;
    const { id: taskId } = taskOf(await service.sendMessage(say("1"), call()));
    let writes = 0;
    for (const name of ["append", "savePushConfig"] as const) {
      intercept(store, name, () => (writes += 1));
    }
    const url = "ftp://hook.example/";
    const refusals = [
      service.createTaskPushNotificationConfig({ taskId, url }, call()),
      service.sendMessage(withHook("1", { url }), call()),
    ];
    for (const refused of refusals) expect((await refusal(refused)).code).toBe("INVALID_PARAMS");
    expect(writes).toBe(0);
  });
});
