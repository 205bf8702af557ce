import { expect, it } from "vitest";
import type { RuntimeSettings } from "../../src/server/index.js";
import { hook, minute, openPushing, second } from "../push/open-pushing.js";
import { arrives, fails, hangs } from "../push/test-receivers.js";
import { until } from "../support/time/until.js";
import { createNodeMetrics } from "./read-registry.js";

const ofAgent = { gen_ai_agent_name: "Tested" };

async function openMeasured(settings: Partial<RuntimeSettings> = {}) {
  const counted = createNodeMetrics();
  const { metrics } = counted;
  const runtime = await openPushing({ telemetry: { metrics }, settings });
  const attempts = (parley_outcome: string): number | undefined =>
    counted.value("parley_push_attempts_total", { ...ofAgent, parley_outcome });
  const outcomes = (): readonly (number | undefined)[] =>
    ["arrived", "failed", "buried"].map(attempts);
  return { runtime, outcomes, value: counted.value };
}

/** What a task that says nothing is told of: that it was made, that it works, that it is done. */
const notifications = 3;

it("attempts to push are counted by what became of them, and timed from the event until it arrives", async () => {
  const { runtime, outcomes, value } = await openMeasured();
  await using _ = runtime;
  const { receivers, clock } = runtime;
  expect(outcomes()).toEqual([0, 0, 0]);
  await runtime.pushTo(hook, "0");
  await until(() => receivers.arrivedAt(hook).length === notifications);
  expect(outcomes()).toEqual([notifications, 0, 0]);
  expect(value("parley_push_delay_seconds_count", ofAgent)).toBe(notifications);
  expect(value("parley_push_delay_seconds_sum", ofAgent)).toBe(0);

  receivers.behave(hook, fails);
  const begunAt = clock.now();
  await runtime.pushTo(hook, "0");
  await until(() => outcomes()[1] === 1);
  // One node asks the store for them now and then.
  await clock.advance(15 * second);
  expect(value("parley_push_waiting", ofAgent)).toBe(notifications);
  const failed = outcomes()[1] ?? 0;
  expect(failed).toBe(receivers.attempts.length - notifications);
  receivers.behave(hook, arrives);
  await clock.advance(minute);
  expect(outcomes()).toEqual([2 * notifications, failed, 0]);
  const late = receivers.attempts.slice(-notifications).map(({ at }) => (at - begunAt) / second);
  const sum = late.reduce((all, one) => all + one, 0);
  expect(sum).toBeGreaterThan(notifications * 15);
  expect(value("parley_push_delay_seconds_sum", ofAgent)).toBeCloseTo(sum, 6);
  expect(value("parley_push_delay_seconds_count", ofAgent)).toBe(2 * notifications);
  expect([value("parley_push_waiting", ofAgent), value("parley_push_dead", ofAgent)]).toEqual([
    0, 0,
  ]);
});

it("a notification that is given up counts as buried, and is shown as dead until an operator sends it again", async () => {
  const { runtime, outcomes, value } = await openMeasured({ maxPushAttempts: 2 });
  await using _ = runtime;
  const { receivers, clock } = runtime;
  receivers.behave(hook, fails);
  await runtime.pushTo(hook, "0");
  await clock.advance(5 * minute);
  // Each has failed twice.
  expect(outcomes()).toEqual([0, 2 * notifications, notifications]);
  const shown = () => [value("parley_push_waiting", ofAgent), value("parley_push_dead", ofAgent)];
  expect(shown()).toEqual([0, notifications]);
  expect(value("parley_push_delay_seconds_count", ofAgent)).toBe(0);
  receivers.behave(hook, arrives);
  expect(await runtime.service.push.redeliverAll()).toBe(notifications);
  await clock.advance(15 * second);
  expect(outcomes()).toEqual([notifications, 2 * notifications, notifications]);
  expect(shown()).toEqual([0, 0]);
});

it("notifications that are given up together, because they are too old, are counted one by one", async () => {
  const settings = { maxPushAgeMs: 5 * second, pushTimeoutMs: 10 * second };
  const { runtime, outcomes } = await openMeasured(settings);
  await using _ = runtime;
  runtime.receivers.behave(hook, hangs);
  await runtime.pushTo(hook, "0");
  await runtime.clock.advance(minute);
  expect(runtime.receivers.attempts).toHaveLength(1);
  expect(outcomes()).toEqual([0, 1, notifications]);
});
