import { Metadata, status } from "@grpc/grpc-js";
import { byTurn } from "../../async/internal.js";
import type { EventIterator, StreamEvent } from "../../protocol/internal.js";
import { lastEventId } from "./event-id.js";
import type { ServerCall } from "../http2/server-call.js";

/** Events are written together up to about this size, that of an HTTP/2 frame. */
const bytesTogether = 16 * 1024;

/** The call that the events are sent on. */
type Call = Pick<ServerCall, "write" | "untilDrained" | "end">;

export interface EventSenderOptions {
  /** Encodes an event behind its prefix. */
  readonly encode: (event: StreamEvent) => Buffer;
  /** Aborts when nobody waits for events any more. */
  readonly signal: AbortSignal;
}

/** Sends the events of a stream as fast as the caller reads them. Those that are there together leave together. */
export class EventSender {
  readonly #call: Call;
  readonly #events: EventIterator;
  readonly #options: EventSenderOptions;
  #last: number | undefined;
  /** What is sent with the end of the call. */
  #rest: Buffer | undefined;

  constructor(call: Call, events: EventIterator, options: EventSenderOptions) {
    this.#call = call;
    this.#events = events;
    this.#options = options;
  }

  /**
   * Resolves when the stream is over, except for what `end` sends. Resolves to false when nobody waits for it any more.
   * Rejects when the stream fails.
   */
  async send(): Promise<boolean> {
    const { signal } = this.#options;
    for (;;) {
      const event = this.#events.take?.() ?? (await this.#next());
      if (event === undefined || signal.aborted) return !signal.aborted;
      const frames = this.#join(event);
      if (this.#events.isOver === true) return this.#finish(frames);
      if (!this.#call.write(frames)) await this.#call.untilDrained(signal);
    }
  }

  /** Ends the call well. */
  end(): void {
    const metadata = new Metadata();
    if (this.#last !== undefined) metadata.set(lastEventId, String(this.#last));
    this.#call.end({ code: status.OK, details: "OK", metadata }, this.#rest);
  }

  /** Keeps the last frames for the end of the call, unless the stream fails after them. */
  async #finish(frames: Buffer): Promise<true> {
    try {
      await this.#events.next();
    } catch (error) {
      this.#call.write(frames);
      throw error;
    }
    this.#rest = frames;
    return true;
  }

  /** Waits for an event. Resolves to `undefined` at the end. */
  async #next(): Promise<StreamEvent | undefined> {
    const events = this.#events;
    if (events.onReady !== undefined) {
      await new Promise<void>((resolve) => events.onReady?.({ wake: () => byTurn(resolve) }));
      const event = events.take?.();
      if (event !== undefined) return event;
    }
    const next = await events.next();
    return next.done === true ? undefined : next.value;
  }

  /** The frames of an event and of those that are there already. */
  #join(first: StreamEvent): Buffer {
    let frame = this.#encode(first);
    const frames = [frame];
    for (let size = frame.length; size < bytesTogether; size += frame.length) {
      const event = this.#events.take?.();
      if (event === undefined) break;
      frame = this.#encode(event);
      frames.push(frame);
    }
    return frames.length === 1 ? frame : Buffer.concat(frames);
  }

  #encode(event: StreamEvent): Buffer {
    this.#last = event.sequence ?? this.#last;
    return this.#options.encode(event);
  }
}
