import { describe, expect, it, vi } from "vitest";
import { Departure, onLeave } from "./departure.js";

describe("a departure", () => {
  it("is told once to everyone who still waits", () => {
    const departure = new Departure();
    const [waits, stopped] = [vi.fn<() => void>(), vi.fn<() => void>()];
    departure.onLeave(waits);
    departure.onLeave(stopped)();
    departure.leave();
    departure.leave();
    expect(departure.aborted).toBe(true);
    expect(waits).toHaveBeenCalledTimes(1);
    expect(stopped).not.toHaveBeenCalled();
  });

  it("happens with its signal, before or after it was made, until it has ended", () => {
    expect(new Departure(AbortSignal.abort()).aborted).toBe(true);
    const controller = new AbortController();
    const [here, ended] = [new Departure(controller.signal), new Departure(controller.signal)];
    ended.end();
    ended.end();
    const other = vi.fn<() => void>();
    onLeave(controller.signal, other);
    controller.abort();
    expect([here.aborted, ended.aborted]).toEqual([true, false]);
    expect(other).toHaveBeenCalledTimes(1);
  });
});

it("a signal has one listener, however many wait on it", () => {
  const { signal } = new AbortController();
  const listen = vi.spyOn(signal, "addEventListener");
  for (let count = 0; count < 100; count += 1) onLeave(signal, () => undefined)();
  expect(listen).toHaveBeenCalledTimes(1);
});
