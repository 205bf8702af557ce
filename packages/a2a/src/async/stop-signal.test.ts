import { expect, it } from "vitest";
import { StopSignal } from "./stop-signal.js";

it.each(["before", "after"])(
  "a signal that is asked for %s the stop has its first reason",
  (when) => {
    const stop = new StopSignal();
    const early = when === "before" ? stop.signal : undefined;
    const [first, second] = [new Error("first"), new Error("second")];
    expect(() => stop.throwIfAborted()).not.toThrow();
    stop.abort(first);
    stop.abort(second);
    expect(stop.signal.aborted).toBe(true);
    expect(stop.signal.reason).toBe(first);
    if (early !== undefined) expect(early).toBe(stop.signal);
    expect(() => stop.throwIfAborted()).toThrow(first);
  },
);

it("is waited for by those who come before it and those who come after", async () => {
  const stop = new StopSignal();
  const before = stop.stopped;
  stop.abort(new Error("stop"));
  await Promise.all([before, stop.stopped]);
});
