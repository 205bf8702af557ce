import { describe, expect, it, vi } from "vitest";
import { createDeferred } from "./deferred.js";
import { openLazyStream, sourceOf } from "./lazy-stream.js";
import type { StreamSource } from "./lazy-stream.js";
import type { LightSignal } from "./signal.js";

const toError = (error: unknown): Error => new Error("wrapped", { cause: error });

/** A source that waits until the signal is aborted, and fails then. */
function openWaiting(signal: LightSignal, release = (): void => undefined): StreamSource<string> {
  return {
    async next() {
      await signal.whenAborted();
      throw new Error("left");
    },
    release,
  };
}

describe("a lazy stream", () => {
  it("opens its source with the first read, and releases it at the end", async () => {
    const source = sourceOf("one");
    const release = vi.spyOn(source, "release");
    const open = vi.fn<() => Promise<StreamSource<string>>>(async () => source);
    const stream = openLazyStream({ signal: undefined, open, toError });
    expect(open).not.toHaveBeenCalled();
    expect(await stream.next()).toEqual({ done: false, value: "one" });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect([open.mock.calls.length, release.mock.calls.length]).toEqual([1, 1]);
  });

  it("answers reads that are asked for together one after the other", async () => {
    const values = [1, 2];
    const next = async (): Promise<number | undefined> => values.shift();
    const open = async (): Promise<StreamSource<number>> => ({ next, release: () => undefined });
    const stream = openLazyStream({ signal: undefined, open, toError });
    const results = await Promise.all([stream.next(), stream.next(), stream.next()]);
    expect(results.map(({ value }) => value)).toEqual([1, 2, undefined]);
  });

  it("can be left while a read is pending, which ends without an error", async () => {
    const opened = createDeferred<void>();
    const release = vi.fn<() => void>();
    const open = async (signal: LightSignal): Promise<StreamSource<string>> => {
      opened.resolve();
      return openWaiting(signal, release);
    };
    const stream = openLazyStream({ signal: undefined, open, toError });
    const pending = stream.next();
    await opened.promise;
    await stream.return();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(release).toHaveBeenCalledTimes(1);
  });

  it("fails a pending read when the caller's signal is aborted", async () => {
    const controller = new AbortController();
    const open = async (signal: LightSignal): Promise<StreamSource<string>> => openWaiting(signal);
    const stream = openLazyStream({ signal: controller.signal, open, toError });
    const pending = stream.next();
    controller.abort();
    await expect(pending).rejects.toThrow("wrapped");
  });

  it("gives a value that is there without waiting, but not while a read is pending", async () => {
    const source: StreamSource<string> = {
      next: async () => "waited",
      take: () => "taken",
      release: () => undefined,
    };
    const stream = openLazyStream({ signal: undefined, open: async () => source, toError });
    const pending = stream.next();
    expect(stream.take()).toBeUndefined();
    await pending;
    expect(stream.take()).toBe("taken");
  });
});
