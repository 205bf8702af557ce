import { constants } from "node:http2";
import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from "node:http2";
import { status } from "@grpc/grpc-js";
import type { Metadata } from "@grpc/grpc-js";
import type { Caller } from "./caller.js";
import { acceptedEncodings } from "./inflate.js";
import { MessageReader } from "./message-reader.js";
import type { RequestTimer } from "./request-timer.js";
import { StatusError } from "./status-error.js";

/** How a call ends. */
export interface CallStatus {
  readonly code: number;
  readonly details: string;
  readonly metadata?: Metadata | undefined;
}

/** What the calls of a connection share. */
export interface CallSurroundings {
  readonly caller: Caller;
  readonly timer: RequestTimer;
  /** How a call ends that cannot go on. */
  readonly statusOf: (error: StatusError) => CallStatus;
}

const contentType = "application/grpc+proto";
const untilTrailers = { waitForTrailers: true };
const atOnce = { endStream: true };
const longestTimerMs = 2 ** 31 - 1;

/** One call to the server, from its metadata to its status. */
export class ServerCall {
  readonly path: string;
  readonly caller: Caller;
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #reader: MessageReader;
  readonly #statusOf: CallSurroundings["statusOf"];
  #deadline: NodeJS.Timeout | undefined;
  #hasEnded = false;
  /** Called when nobody waits for an answer any more: the caller has gone, its deadline has passed, it was cut. */
  onCancel: (() => void) | undefined;
  cancelled = false;
  /**
   * What comes before the first message. It is sent with that message: a caller that has it takes silence for a fault,
   * since gRPC has no heartbeats.
   */
  metadata: Metadata | undefined;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    { caller, timer, statusOf }: CallSurroundings,
  ) {
    this.path = headers[":path"] ?? "";
    this.caller = caller;
    this.#stream = stream;
    this.#headers = headers;
    this.#statusOf = statusOf;
    this.#reader = new MessageReader(stream, {
      bytes: caller.bytes,
      timer,
      encoding: this.header("grpc-encoding"),
      fail: (error) => this.#fail(error),
    });
    stream.once("close", () => {
      clearTimeout(this.#deadline);
      this.#cancel(status.CANCELLED, "the caller has gone");
    });
    this.#reader.open();
    const timeout = headers["grpc-timeout"];
    if (timeout !== undefined) this.#setDeadline(String(timeout));
  }

  /** The name that the caller has called the server by. */
  get host(): string {
    return this.#headers[":authority"] ?? this.#headers.host ?? "";
  }

  /** Whether the caller has called over TLS, as far as it says. */
  get isSecure(): boolean {
    return this.#headers[":scheme"] === "https";
  }

  /** A header by its lower-case name; several of one name are joined by commas. */
  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  /** The first bytes of the message, before it is read. */
  peek(): Promise<Buffer> {
    return this.#reader.peek();
  }

  /**
   * Reads the next message with the given function. Resolves to `undefined` if the caller sends none. Rejects with a
   * `StatusError` for a message that has more bytes than allowed, or does not come.
   */
  read<T>(maxBytes: number, use: (message: Buffer) => T): Promise<T | undefined> {
    return this.#reader.read(maxBytes, use);
  }

  #respond(): void {
    if (this.#stream.headersSent) return;
    const headers: OutgoingHttpHeaders = {
      ":status": 200,
      "content-type": contentType,
      "grpc-accept-encoding": acceptedEncodings,
    };
    if (this.metadata !== undefined) Object.assign(headers, this.metadata.toHttp2Headers());
    this.#stream.respond(headers, untilTrailers);
  }

  /**
   * Sends messages, each behind its prefix. Returns false when the caller has not read what was sent before;
   * `untilDrained` tells when it has.
   */
  write(frames: Buffer): boolean {
    if (this.#isOver()) return true;
    this.#respond();
    return this.#stream.write(frames);
  }

  /** Resolves once the caller has read what was written, or is gone, or the signal aborts. */
  untilDrained(signal?: AbortSignal): Promise<void> {
    const stream = this.#stream;
    return new Promise((resolve) => {
      const done = (): void => {
        stream.off("drain", done);
        stream.off("close", done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      if (signal?.aborted === true || this.#isOver()) return resolve();
      stream.on("drain", done);
      stream.on("close", done);
      signal?.addEventListener("abort", done);
    });
  }

  /** Calls back once the answer has been sent, or nobody reads it any more. */
  whenClosed(callback: () => void): void {
    if (this.#stream.destroyed) callback();
    else this.#stream.once("close", callback);
  }

  /** Sends the only message of an answer, and ends the call well. */
  answer(frame: Buffer): void {
    this.end({ code: status.OK, details: "OK" }, frame);
  }

  /** Ends the call, after some last messages if they are given. The first status counts. */
  end(ending: CallStatus = { code: status.OK, details: "OK" }, last?: Buffer): void {
    if (this.#isOver()) return;
    if (this.metadata !== undefined || last !== undefined) this.#respond();
    this.#end(ending, last);
  }

  #isOver(): boolean {
    return this.#hasEnded || this.#stream.destroyed || this.#stream.closed;
  }

  #end({ code, details, metadata }: CallStatus, last?: Buffer): void {
    this.#hasEnded = true;
    clearTimeout(this.#deadline);
    const stream = this.#stream;
    const trailers: OutgoingHttpHeaders = {
      "grpc-status": code,
      "grpc-message": encodeURI(details),
      ...metadata?.toHttp2Headers(),
    };
    this.#reader.stop(code, details);
    if (stream.headersSent) {
      stream.once("wantTrailers", () => {
        stream.sendTrailers(trailers);
        this.#stopSending();
      });
      stream.end(last);
    } else {
      stream.respond({ ":status": 200, "content-type": contentType, ...trailers }, atOnce);
      this.#stopSending();
    }
  }

  /** Tells a caller that is still sending that nobody reads it. */
  #stopSending(): void {
    if (!this.#reader.hasEnded) this.#stream.close(constants.NGHTTP2_NO_ERROR);
  }

  #fail(error: StatusError): void {
    this.end(this.#statusOf(error));
    this.#cancel(error.code, error.message);
  }

  #cancel(code: status, message: string): void {
    this.#reader.stop(code, message);
    if (this.cancelled) return;
    this.cancelled = true;
    this.onCancel?.();
    this.onCancel = undefined;
  }

  #setDeadline(timeout: string): void {
    const [, digits = "", unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(timeout) ?? [];
    const unitMs = unitsMs[unit];
    if (unitMs === undefined) {
      const found = JSON.stringify(timeout.slice(0, 32));
      const problem = `grpc-timeout is ${found}; expected up to 8 digits and a unit, such as 30S`;
      return this.#fail(new StatusError(status.INVALID_ARGUMENT, problem));
    }
    const afterMs = Math.min(Number(digits) * unitMs, longestTimerMs);
    this.#deadline = setTimeout(() => {
      this.#fail(new StatusError(status.DEADLINE_EXCEEDED, "Deadline exceeded"));
    }, afterMs);
  }
}

const unitsMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 0.001,
  n: 0.000_001,
};
