import { describe, expect, it, vi } from "vitest";
import { createDeferred } from "./deferred.js";
import { LazyStream, sourceOf } from "./lazy-stream.js";
import type { Reader, StreamSource } from "./lazy-stream.js";
import type { LightSignal } from "./signal.js";

const toError = (error: unknown): Error => new Error("wrapped", { cause: error });

/** A source that waits until the signal is aborted, and fails then. */
function openWaiting(signal: LightSignal, release = (): void => undefined): StreamSource<string> {
  return {
    take() {
      if (signal.aborted) throw new Error("left");
      return undefined;
    },
    isOver: false,
    onReady: (reader) => void signal.whenAborted().then(() => reader.wake()),
    release,
  };
}

/** A source whose values the test brings. */
class Brought implements StreamSource<string> {
  readonly values: string[] = [];
  isOver = false;
  reader: Reader | undefined;
  take = (): string | undefined => this.values.shift();
  onReady = (reader: Reader): void => void (this.reader = reader);
  release = vi.fn<() => void>();

  bring(value: string): void {
    this.values.push(value);
    this.reader?.wake();
  }
}

describe("a lazy stream", () => {
  it("opens its source with the first read, and releases it at the end", async () => {
    const source = sourceOf("one");
    const release = vi.spyOn(source, "release");
    const open = vi.fn<() => Promise<StreamSource<string>>>(async () => source);
    const stream = new LazyStream({ signal: undefined, open, toError });
    expect(open).not.toHaveBeenCalled();
    expect(await stream.next()).toEqual({ done: false, value: "one" });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect([open.mock.calls.length, release.mock.calls.length]).toEqual([1, 1]);
  });

  it("answers reads that are asked for together one after the other", async () => {
    const values = [1, 2];
    const open = async (): Promise<StreamSource<number>> => ({
      take: () => values.shift(),
      get isOver() {
        return values.length === 0;
      },
      onReady: (reader) => reader.wake(),
      release: () => undefined,
    });
    const stream = new LazyStream({ signal: undefined, open, toError });
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
    const stream = new LazyStream({ signal: undefined, open, toError });
    const pending = stream.next();
    await opened.promise;
    await stream.return();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(release).toHaveBeenCalledTimes(1);
  });

  it("fails a pending read when the caller's signal is aborted", async () => {
    const controller = new AbortController();
    const open = async (signal: LightSignal): Promise<StreamSource<string>> => openWaiting(signal);
    const stream = new LazyStream({ signal: controller.signal, open, toError });
    const pending = stream.next();
    controller.abort();
    await expect(pending).rejects.toThrow("wrapped");
  });

  it("gives a value that is there without waiting, but not while a read is pending", async () => {
    const source = new Brought();
    const stream = new LazyStream({ signal: undefined, open: async () => source, toError });
    const pending = stream.next();
    source.values.push("waited", "taken");
    expect(stream.take()).toBeUndefined();
    expect(await pending).toEqual({ done: false, value: "waited" });
    expect(stream.take()).toBe("taken");
    expect(stream.take()).toBeUndefined();
  });
});

describe("a reader that is woken", () => {
  it("opens the stream, and is told once of a value", async () => {
    const source = new Brought();
    const stream = new LazyStream({ signal: undefined, open: async () => source, toError });
    const wake = vi.fn<() => void>();
    stream.onReady({ wake });
    await vi.waitUntil(() => source.reader !== undefined);
    expect(stream.take()).toBeUndefined();
    source.bring("one");
    expect(wake).toHaveBeenCalledTimes(1);
    expect(stream.take()).toBe("one");
  });

  it.each([
    ["cannot be opened", () => Promise.reject(new Error("closed"))],
    ["fails", async (signal: LightSignal) => openWaiting(signal)],
  ])("hears of a stream that %s, and reads why", async (_, open) => {
    const controller = new AbortController();
    const stream = new LazyStream<string>({ signal: controller.signal, open, toError });
    const woken = createDeferred<void>();
    stream.onReady({ wake: woken.resolve });
    controller.abort();
    await woken.promise;
    expect(stream.take()).toBeUndefined();
    await expect(stream.next()).rejects.toThrow("wrapped");
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("can leave before the stream is open, which is released then", async () => {
    const source = new Brought();
    const opened = createDeferred<StreamSource<string>>();
    const stream = new LazyStream({ signal: undefined, open: () => opened.promise, toError });
    stream.onReady({ wake: () => undefined });
    const left = stream.return();
    opened.resolve(source);
    await left;
    expect(source.release).toHaveBeenCalledTimes(1);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});
