import { describe, expect, it } from "vitest";
import type { PushNotification } from "../../src/server/index.js";
import { verifies } from "../spec/verifies.js";
import { hook, hour, minute, openPushing, second, sequencesOf } from "./open-pushing.js";
import { call, say } from "../support/runtime/open-test-runtime.js";
import { arrives, fails } from "./test-receivers.js";
import { artifactText, stateOf, taskOf } from "../support/runtime/answers.js";
import { until } from "../support/time/until.js";

/** `1 task submitted`, `4 artifact`, `5 status completed`. */
function describeNotification({ sequence, event }: PushNotification): string {
  if (event.task !== undefined) return `${sequence} task ${stateOf(event.task)}`;
  if (event.artifactUpdate !== undefined) return `${sequence} artifact`;
  return `${sequence} status ${event.statusUpdate?.status.state.slice(11).toLowerCase() ?? ""}`;
}

describe("what is notified of", () => {
  it("is the task as it was made, every status and every chunk, in order and with ids", async () => {
    verifies("push:create-delivers", "push:at-least-once");
    await using runtime = await openPushing();
    const { receivers } = runtime;
    const task = await runtime.pushTo(hook, "3");
    await until(() => receivers.arrivedAt(hook).length === 6);
    const arrived = receivers.arrivedAt(hook);
    expect(arrived.map(describeNotification)).toEqual([
      "1 task submitted",
      expect.stringMatching(/status working$/),
      expect.stringMatching(/artifact$/),
      expect.stringMatching(/artifact$/),
      expect.stringMatching(/artifact$/),
      expect.stringMatching(/status completed$/),
    ]);
    expect(arrived[0]?.event.task?.history?.map(({ parts }) => parts)).toEqual([[{ text: "3" }]]);
    expect(arrived.every(({ config }) => config.taskId === task.id)).toBe(true);
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(6);
    expect(await runtime.service.push.count()).toEqual({ waiting: 0, dead: 0 });
  });

  it("is, before 1.0, the task as of each status and whole artifact, and no chunk but the last", async () => {
    await using runtime = await openPushing({
      run: async function* () {
        yield "a";
        yield "b";
        yield { artifact: "whole", text: "w" };
        yield "c";
      },
    });
    const { receivers } = runtime;
    await runtime.pushTo(hook, "go", { version: "0.3", dialect: "0.3" });
    const isDone = ({ task }: (typeof receivers.attempts)[number]): boolean =>
      task?.status.state === "TASK_STATE_COMPLETED";
    await until(() => receivers.attempts.some(isDone));
    const seen = receivers.attempts.map(({ task }) => [
      task && stateOf(task),
      task && artifactText(task),
      task && artifactText(task, "whole"),
    ]);
    expect(seen).toEqual([
      ["submitted", undefined, undefined],
      ["working", undefined, undefined],
      ["working", "a", undefined],
      ["working", "ab", "w"],
      // The last chunk makes the answer whole.
      ["working", "abc", "w"],
      ["completed", "abc", "w"],
    ]);
  });

  it("is the status only, where that is set", async () => {
    await using runtime = await openPushing({ settings: { pushEvents: "status" } });
    await runtime.pushTo(hook, "3");
    await until(() => runtime.receivers.arrivedAt(hook).length === 3);
    const states = runtime.receivers.arrivedAt(hook).map(describeNotification);
    expect(states.map((text) => text.replace(/^\d+ /, ""))).toEqual([
      "task submitted",
      "status working",
      "status completed",
    ]);
  });

  it("is what happens after a configuration was made, and nothing on a finished task", async () => {
    await using runtime = await openPushing({
      run: async ({ ask }) => `You said ${(await ask("What?")).parts[0]?.text ?? ""}`,
    });
    const { service, receivers } = runtime;
    const { id: taskId } = taskOf(await service.sendMessage(say("hello"), call()));
    await service.createTaskPushNotificationConfig({ taskId, url: hook }, call());
    taskOf(await service.sendMessage(say("this", { taskId }), call()));
    await until(() => receivers.arrivedAt(hook).length === 3);
    expect(
      receivers.arrivedAt(hook).map((one) => describeNotification(one).replace(/^\d+ /, "")),
    ).toEqual(["status working", "artifact", "status completed"]);
    await service.createTaskPushNotificationConfig({ taskId, url: `${hook}late` }, call());
    await runtime.clock.advance(hour);
    expect(receivers.arrivedAt(`${hook}late`)).toEqual([]);
  });

  it("goes to every configuration, each in the shape it was registered in", async () => {
    await using runtime = await openPushing({
      run: async ({ ask }) => `You said ${(await ask("What?")).parts[0]?.text ?? ""}`,
    });
    const { service, receivers } = runtime;
    const { id: taskId } = taskOf(await service.sendMessage(say("hello"), call()));
    for (const version of ["0.1", "0.3", "1.0"] as const) {
      const request = { taskId, id: version, url: `${hook}${version}` };
      await service.createTaskPushNotificationConfig(request, call({ version, dialect: version }));
    }
    await service.sendMessage(say("this", { taskId }), call());
    const dialects = ["0.1", "0.3", "1.0"];
    await until(() => dialects.every((name) => receivers.arrivedAt(hook + name).length === 3));
    for (const name of dialects) {
      const arrived = receivers.arrivedAt(hook + name);
      expect(arrived.map(({ dialect }) => dialect)).toEqual([name, name, name]);
    }
    expect(new Set(receivers.attempts.map(({ notification }) => notification.id)).size).toBe(9);
  });
});

describe("a receiver that fails", () => {
  it("is tried again after pauses that double, from a second to an hour, for a day", async () => {
    verifies("push:retry", "push:give-up");
    await using runtime = await openPushing();
    const { receivers, clock } = runtime;
    receivers.behave(hook, fails);
    await runtime.pushTo(hook, "0");
    await clock.advance(25 * hour);
    const tries = receivers.attempts.filter(({ notification }) => notification.sequence === 1);
    const pauses = tries.slice(1).map(({ at }, index) => at - (tries[index]?.at ?? 0));
    for (const [index, pause] of pauses.entries()) {
      const longest = Math.min(hour, second * 2 ** index);
      expect(pause).toBeGreaterThanOrEqual(Math.max(second, longest / 2));
      expect(pause).toBeLessThanOrEqual(longest);
    }
    expect(pauses.length).toBeGreaterThan(24);
    expect(new Set(pauses.slice(12)).size, "different pauses of the same length").toBeGreaterThan(
      5,
    );
    expect(new Set(tries.map(({ notification }) => notification.id)).size).toBe(1);
    const numbers = tries.map(({ notification }) => notification.attempt);
    expect(numbers).toEqual(Array.from(numbers.keys(), (index) => index + 1));
    // Nothing overtakes it while it is tried, and all of it is too old after a day.
    expect(await runtime.service.push.count()).toEqual({ waiting: 0, dead: 3 });
    const [letter] = await runtime.service.push.listDead();
    expect(letter?.reason).toMatch(/^answered 500 \(given up after \d+ attempts\)$/);
  });

  it("gets everything in order once it is back", async () => {
    await using runtime = await openPushing();
    const { receivers, clock } = runtime;
    receivers.behave(hook, fails);
    await runtime.pushTo(hook, "20");
    await clock.advance(10 * minute);
    expect(receivers.arrivedAt(hook)).toEqual([]);
    expect(receivers.attempts.every(({ notification }) => notification.sequence === 1)).toBe(true);
    receivers.behave(hook, arrives);
    await clock.advance(20 * minute);
    const sequences = sequencesOf(receivers.arrivedAt(hook));
    expect(sequences.length).toBe(23);
    expect(sequences).toEqual(sequences.toSorted((left, right) => left - right));
  });

  it("is left alone as long as it asks for", async () => {
    await using runtime = await openPushing();
    const { receivers, clock } = runtime;
    const retryAfterMs = 7 * minute;
    receivers.behave(hook, async () => ({ kind: "failed", reason: "answered 429", retryAfterMs }));
    await runtime.pushTo(hook, "0");
    await clock.advance(7 * minute - second);
    expect(receivers.attempts.length).toBe(1);
    receivers.behave(hook, arrives);
    await clock.advance(second);
    expect(receivers.arrivedAt(hook).length).toBe(3);
    expect((receivers.attempts[1]?.at ?? 0) - (receivers.attempts[0]?.at ?? 0)).toBe(retryAfterMs);
  });

  it("is given up at once when it asks to be left alone for longer than anything is kept", async () => {
    await using runtime = await openPushing();
    const { receivers, clock, service } = runtime;
    const retryAfterMs = 48 * hour;
    receivers.behave(hook, async () => ({ kind: "failed", reason: "answered 503", retryAfterMs }));
    await runtime.pushTo(hook, "0");
    await clock.advance(minute);
    expect(await service.push.count()).toEqual({ waiting: 0, dead: 3 });
  });

  it("is given up after as many attempts as are set, and the next one gets as many", async () => {
    await using runtime = await openPushing({ settings: { maxPushAttempts: 3 } });
    const { receivers, clock, service } = runtime;
    receivers.behave(hook, fails);
    await runtime.pushTo(hook, "0");
    await clock.advance(hour);
    const made = receivers.attempts.map(({ notification: { sequence, attempt } }) => [
      sequence,
      attempt,
    ]);
    expect(made.length).toBe(9);
    expect(made.slice(0, 4)).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [expect.any(Number), 1],
    ]);
    expect(await service.push.count()).toEqual({ waiting: 0, dead: 3 });
  });

  it("for good is not tried again", async () => {
    await using runtime = await openPushing();
    const { receivers, clock, service } = runtime;
    receivers.behave(hook, async ({ sequence }) =>
      sequence === 1
        ? { kind: "failed", reason: "answered 410", isFinal: true }
        : { kind: "arrived" },
    );
    const { id: taskId } = await runtime.pushTo(hook, "0");
    await clock.advance(minute);
    const reason = "answered 410 (given up after 1 attempt)";
    const [letter, ...others] = await service.push.listDead();
    expect(letter).toEqual({ taskId, configId: expect.any(String), sequence: 1, reason });
    expect(others).toEqual([]);
    expect(receivers.arrivedAt(hook).length, "what followed").toBe(2);
  });

  it("by throwing is one that failed", async () => {
    await using runtime = await openPushing({ settings: { maxPushAttempts: 1 } });
    runtime.receivers.behave(hook, () => Promise.reject(new Error("no such host")));
    await runtime.pushTo(hook, "0");
    await runtime.clock.advance(minute);
    const [letter] = await runtime.service.push.listDead();
    expect(letter?.reason).toBe("no such host (given up after 1 attempt)");
    expect(runtime.reports).toEqual([]);
  });
});

describe("dead letters", () => {
  it("are listed page by page, and delivered again when an operator says so", async () => {
    await using runtime = await openPushing({ settings: { maxPushAttempts: 1 } });
    const { receivers, clock, service } = runtime;
    receivers.behave(hook, fails);
    await runtime.pushTo(hook, "2");
    await clock.advance(minute);
    const letters = await service.push.listDead();
    expect(letters.length).toBe(5);
    const [first, next] = letters;
    expect(await service.push.listDead({ ...(first && { after: first }), limit: 1 })).toEqual([
      next,
    ]);
    receivers.behave(hook, arrives);
    expect(first && (await service.push.redeliver(first))).toBe(true);
    expect(first && (await service.push.redeliver(first))).toBe(false);
    await clock.advance(second);
    expect(sequencesOf(receivers.arrivedAt(hook))).toEqual([1]);
    expect(await service.push.redeliverAll()).toBe(4);
    await clock.advance(second);
    const arrived = receivers.arrivedAt(hook);
    expect(sequencesOf(arrived)).toEqual(letters.map(({ sequence }) => sequence));
    const firstTries = receivers.attempts.slice(0, 5).map(({ notification }) => notification.id);
    expect(arrived.map(({ id }) => id)).toEqual(firstTries);
    expect(await service.push.count()).toEqual({ waiting: 0, dead: 0 });
  });

  it("are forgotten when an operator says so", async () => {
    await using runtime = await openPushing({ settings: { maxPushAttempts: 1 } });
    const { receivers, clock, service } = runtime;
    receivers.behave(hook, fails);
    await runtime.pushTo(hook, "0");
    await clock.advance(minute);
    const [first, ...others] = await service.push.listDead();
    if (first !== undefined) await service.push.discard(first);
    expect(await service.push.listDead()).toEqual(others);
    expect(first && (await service.push.redeliver(first))).toBe(false);
  });

  it("are, before 1.0, the task as it was at the time, however long ago", async () => {
    const words = 2500;
    await using runtime = await openPushing({
      settings: { maxPushAttempts: 1 },
      run: async function* () {
        for (let index = 0; index < words; index += 1) yield "a";
        yield { artifact: "whole", text: "w" };
        for (let index = 0; index < words; index += 1) yield "b";
      },
    });
    const { receivers, clock, service } = runtime;
    receivers.behave(hook, fails);
    await runtime.pushTo(hook, "go", { version: "0.3", dialect: "0.3" });
    await clock.advance(minute);
    const before = receivers.attempts.map(({ task }) => task);
    expect(await service.push.redeliverAll()).toBe(6);
    await clock.advance(minute);
    const after = receivers.attempts.slice(before.length).map(({ task }) => task);
    expect(after.map((task) => task && stateOf(task))).toEqual([
      "submitted",
      "working",
      "working",
      "working",
      "working",
      "completed",
    ]);
    const lengths = after.map((task) => task && artifactText(task)?.length);
    expect(lengths).toEqual([undefined, undefined, 1, words, 2 * words, 2 * words]);
    expect(after).toEqual(before);
  });

  it("are tried for as long as anything is, from when they were revived", async () => {
    await using runtime = await openPushing();
    const { receivers, clock, service } = runtime;
    receivers.behave(hook, fails);
    await runtime.pushTo(hook, "0");
    await clock.advance(30 * hour);
    expect(await service.push.redeliverAll()).toBe(3);
    await clock.advance(20 * hour);
    expect(await service.push.count()).toEqual({ waiting: 3, dead: 0 });
    await clock.advance(5 * hour);
    expect(await service.push.count()).toEqual({ waiting: 0, dead: 3 });
  });
});
