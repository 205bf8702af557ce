import { describe, expect, it } from "vitest";
import { createTestClock } from "../testing/create-test-clock.js";
import { delay, delayAtMost } from "./clock.js";

describe("delay", () => {
  it("resolves after its time and leaves nothing behind", async () => {
    const clock = createTestClock();
    const { signal } = new AbortController();
    const done = delay(clock, 1000, signal);
    await clock.advance(999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    await expect(done).resolves.toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it("rejects with the reason of a signal that is aborted first", async () => {
    const clock = createTestClock();
    const controller = new AbortController();
    const done = delay(clock, 1000, controller.signal);
    controller.abort(new Error("enough"));
    await expect(done).rejects.toThrow("enough");
    expect(clock.pending).toBe(0);
  });

  it("sets no timer for a signal that is aborted already", async () => {
    const clock = createTestClock();
    await expect(delay(clock, 1000, AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
    expect(clock.pending).toBe(0);
  });
});

describe("delayAtMost", () => {
  it("resolves when its signal is aborted", async () => {
    const clock = createTestClock();
    const controller = new AbortController();
    const done = delayAtMost(clock, 1000, controller.signal);
    controller.abort();
    await expect(done).resolves.toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it("resolves after its time when nothing is aborted", async () => {
    const clock = createTestClock();
    const done = delayAtMost(clock, 1000, new AbortController().signal);
    await clock.advance(1000);
    await expect(done).resolves.toBeUndefined();
  });
});
