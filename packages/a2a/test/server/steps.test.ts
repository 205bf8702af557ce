import { describe, expect, it } from "vitest";
import type { StepOptions } from "../../src/server/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { artifactText, stateOf, taskOf } from "../support/runtime/answers.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { settle } from "../support/time/until.js";

/** A clock that notes how long its timers are. */
function createNotingClock() {
  const clock = createTestClock();
  const pauses: number[] = [];
  const after = clock.after.bind(clock);
  clock.after = (delayMs, callback) => {
    pauses.push(delayMs);
    return after(delayMs, callback);
  };
  return { clock, pauses };
}

/** Runs a step that fails twice. */
async function runWith(options: StepOptions) {
  const { clock, pauses } = createNotingClock();
  await using runtime = await openTestRuntime({
    clock,
    run: ({ step }) =>
      step(
        "fetch",
        ({ attempt }) => {
          if (attempt < 3) throw new Error("not yet");
          return `after ${attempt}`;
        },
        options,
      ),
  });
  const sent = runtime.service.sendMessage(say("go"), call());
  await settle();
  await clock.advance(5000);
  const task = taskOf(await sent);
  return { task, pauses, reports: runtime.reports.map(({ error }) => String(error)) };
}

describe("the options of a step", () => {
  it("have their defaults where they are undefined", async () => {
    const backoff = { firstMs: undefined, factor: undefined } as unknown as object;
    const { task, pauses } = await runWith({ retries: 2, backoff });
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "after 3"]);
    expect(pauses).toEqual(expect.arrayContaining([1000, 2000]));
  });

  it.each<[string, StepOptions]>([
    ["retries is NaN", { retries: Number.NaN }],
    ["retries is -1", { retries: -1 }],
    ["timeoutMs is NaN", { timeoutMs: Number.NaN }],
    ["backoff.firstMs is NaN", { retries: 2, backoff: { firstMs: Number.NaN } }],
    ["backoff.maxMs is -5", { retries: 2, backoff: { maxMs: -5 } }],
  ])("are refused where %s", async (found, options) => {
    const { task, reports } = await runWith(options);
    expect(stateOf(task)).toBe("failed");
    expect(reports).toEqual([
      expect.stringContaining(`step("fetch"): ${found}; expected a whole number`) as string,
    ]);
  });

  it("may be infinite, and no timer is longer than timers can be", async () => {
    const { task, pauses } = await runWith({ retries: Infinity, timeoutMs: Infinity });
    expect(artifactText(task)).toBe("after 3");
    expect(Math.max(...pauses)).toBe(2 ** 31 - 1);
  });
});

it("a step that is begun after the run was stopped has a signal that says so", async () => {
  const aborted: boolean[] = [];
  await using runtime = await openTestRuntime({
    run: async ({ step, signal }) => {
      await step(
        "work",
        () =>
          new Promise<string>((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("stopped")));
          }),
      ).catch(() => undefined);
      await step("undo", (attempt) => void aborted.push(attempt.signal.aborted));
    },
  });
  const sent = runtime.service.sendMessage(sayAndLeave("go"), call());
  await settle();
  const { id } = taskOf(await sent);
  await runtime.service.cancelTask({ id }, call());
  expect(aborted).toEqual([true]);
});

describe("steps of one name", () => {
  /** Begins a step, then another of the same name in a way of its own, and gives what was reported. */
  async function reportsOf(together: boolean): Promise<string[]> {
    await using runtime = await openTestRuntime({
      run: async ({ step }) => {
        const slow = async (): Promise<number> => {
          await settle();
          return 1;
        };
        const first = step("fetch", slow);
        if (!together) await Promise.resolve().then(() => undefined);
        const results = [step("fetch", slow), step("fetch", slow)];
        await Promise.all([first, ...results]);
        return "done";
      },
    });
    await runtime.service.sendMessage(say("go"), call());
    return runtime.reports.map(({ error }) => String(error));
  }

  it("that are begun together are numbered in their order, and nothing is reported", async () => {
    expect(await reportsOf(true)).toEqual([]);
  });

  it("that overlap otherwise are reported once, with what to do", async () => {
    const reports = await reportsOf(false);
    expect(reports).toEqual([expect.stringContaining('a step "fetch" was begun while another')]);
  });
});
