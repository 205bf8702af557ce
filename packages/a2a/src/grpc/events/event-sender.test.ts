import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { LazyStream } from "../../async/internal.js";
import type { Reader, StreamSource } from "../../async/internal.js";
import type { EventIterator, StreamEvent, StreamResponse } from "../../protocol/internal.js";
import { EventSender } from "./event-sender.js";

const response: StreamResponse = { message: { messageId: "m", role: "ROLE_AGENT", parts: [] } };

/** Events that a test adds. */
class Source implements StreamSource<StreamEvent> {
  readonly #events: StreamEvent[] = [];
  #reader: Reader | undefined;
  #failure: Error | undefined;
  taken = 0;
  isClosed = false;

  get isOver(): boolean {
    return this.isClosed && this.#events.length === 0;
  }

  take(): StreamEvent | undefined {
    const event = this.#events.shift();
    if (event !== undefined) this.taken += 1;
    else if (this.#failure !== undefined) throw this.#failure;
    return event;
  }

  onReady(reader: Reader): void {
    this.#reader = reader;
    if (this.#events.length > 0 || this.isOver || this.#failure !== undefined) this.#wake();
  }

  add(...sequences: readonly number[]): void {
    for (const sequence of sequences) this.#events.push({ response, sequence });
    this.#wake();
  }

  close(failure?: Error): void {
    this.#failure = failure;
    this.isClosed = true;
    this.#wake();
  }

  release(): void {}

  #wake(): void {
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.wake();
  }
}

/** Notes what it is told to send. */
class NotedCall {
  readonly sent: string[] = [];
  isFull = false;
  drain: () => void = () => undefined;

  write(frames: Buffer): boolean {
    this.sent.push(frames.toString());
    return !this.isFull;
  }

  untilDrained(): Promise<void> {
    return new Promise((resolve) => (this.drain = resolve));
  }

  end(_: unknown, last?: Buffer): void {
    this.sent.push(`end ${last?.toString() ?? ""}`);
  }
}

interface Opened {
  readonly source: Source;
  readonly call: NotedCall;
  readonly sender: EventSender;
  readonly controller: AbortController;
}

function open(toIterator = (stream: EventIterator): EventIterator => stream): Opened {
  const [source, call, controller] = [new Source(), new NotedCall(), new AbortController()];
  const { signal } = controller;
  const stream = new LazyStream<StreamEvent>({
    signal,
    open: () => Promise.resolve(source),
    toError: (error) => error as Error,
  });
  const encode = ({ sequence }: StreamEvent): Buffer => Buffer.from(`<${sequence}>`);
  return {
    source,
    call,
    controller,
    sender: new EventSender(call, toIterator(stream), { encode, signal }),
  };
}

test("events that come in one turn leave in one write, and the last ones with the end", async () => {
  const { source, call, sender } = open();
  source.add(1, 2);
  const sending = sender.send();
  await expect.poll(() => call.sent).toEqual(["<1><2>"]);
  source.add(3);
  source.add(4);
  await expect.poll(() => call.sent).toEqual(["<1><2>", "<3><4>"]);
  source.add(5, 6);
  source.close();
  expect(await sending).toBe(true);
  sender.end();
  expect(call.sent).toEqual(["<1><2>", "<3><4>", "end <5><6>"]);
});

test("a stream that can only be waited for is sent event by event", async () => {
  const { source, call, sender } = open((stream) => ({ next: () => stream.next() }));
  source.add(1, 2);
  source.close();
  expect(await sender.send()).toBe(true);
  sender.end();
  expect(call.sent).toEqual(["<1>", "<2>", "end "]);
});

test("nothing is taken while the caller does not read", async () => {
  const { source, call, sender } = open();
  call.isFull = true;
  source.add(1);
  const sending = sender.send();
  await expect.poll(() => call.sent).toEqual(["<1>"]);
  source.add(2, 3);
  await turn();
  await turn();
  expect(source.taken).toBe(1);
  call.drain();
  await expect.poll(() => call.sent).toEqual(["<1>", "<2><3>"]);
  source.close();
  call.drain();
  expect(await sending).toBe(true);
});

test("events that came before a failure are sent", async () => {
  const { source, call, sender } = open();
  source.add(1, 2);
  source.close(new Error("the log is gone"));
  await expect(sender.send()).rejects.toThrow("the log is gone");
  expect(call.sent).toEqual(["<1><2>"]);
});

test("a stream that nobody waits for is not over", async () => {
  const { source, call, sender, controller } = open();
  source.add(1);
  const sending = sender.send();
  await expect.poll(() => call.sent).toEqual(["<1>"]);
  controller.abort();
  source.add(2);
  expect(await sending).toBe(false);
  expect(call.sent).toEqual(["<1>"]);
});
