import { describe, expect, it, vi } from "vitest";
import { LightSignal, onAbort } from "./signal.js";

describe("a departure", () => {
  it("is told once to everyone who still waits", () => {
    const signal = new LightSignal();
    const [waits, stopped] = [vi.fn<() => void>(), vi.fn<() => void>()];
    signal.onAbort(waits);
    signal.onAbort(stopped)();
    signal.abort();
    signal.abort();
    expect(signal.aborted).toBe(true);
    expect(waits).toHaveBeenCalledTimes(1);
    expect(stopped).not.toHaveBeenCalled();
  });

  it("happens with its signal, before or after it was made, until it has ended", () => {
    expect(new LightSignal(AbortSignal.abort()).aborted).toBe(true);
    const controller = new AbortController();
    const { signal } = controller;
    const [follows, unfollowed] = [new LightSignal(signal), new LightSignal(signal)];
    unfollowed.unfollow();
    unfollowed.unfollow();
    const other = vi.fn<() => void>();
    onAbort(signal, other);
    controller.abort();
    expect([follows.aborted, unfollowed.aborted]).toEqual([true, false]);
    expect(other).toHaveBeenCalledTimes(1);
  });
});

it("a signal has one listener, however many wait on it", () => {
  const { signal } = new AbortController();
  const listen = vi.spyOn(signal, "addEventListener");
  for (let count = 0; count < 100; count += 1) onAbort(signal, () => undefined)();
  expect(listen).toHaveBeenCalledTimes(1);
});

it.each(["before", "after"])(
  "a signal that is asked for %s the stop has its first reason",
  (when) => {
    const signal = new LightSignal();
    const early = when === "before" ? signal.toAbortSignal() : undefined;
    const [first, second] = [new Error("first"), new Error("second")];
    expect(() => signal.throwIfAborted()).not.toThrow();
    signal.abort(first);
    signal.abort(second);
    expect(signal.toAbortSignal().aborted).toBe(true);
    expect(signal.toAbortSignal().reason).toBe(first);
    if (early !== undefined) expect(early).toBe(signal.toAbortSignal());
    expect(() => signal.throwIfAborted()).toThrow(first);
  },
);

it("is waited for by those who come before it and those who come after", async () => {
  const signal = new LightSignal();
  const before = signal.whenAborted();
  signal.abort(new Error("stop"));
  await Promise.all([before, signal.whenAborted()]);
});
