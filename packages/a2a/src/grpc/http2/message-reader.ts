import type { ServerHttp2Stream } from "node:http2";
import { status } from "@grpc/grpc-js";
import { prefixBytes } from "../message-writer.js";
import { boundQueue, windowBytes } from "./bound-queue.js";
import { inflate } from "./inflate.js";
import type { ConnectionBytes, Holder } from "./message-bytes.js";
import type { RequestTimer } from "./request-timer.js";
import { StatusError } from "./status-error.js";

/** How many bytes of a call are taken in before its caller is known. */
export const earlyBytes: number = 16 * 1024;

/** What a call costs beside its message: its headers, above all. */
const callBytes = 8 * 1024;

export interface MessageReaderOptions {
  readonly bytes: ConnectionBytes;
  readonly timer: RequestTimer;
  /** The encoding of compressed messages. */
  readonly encoding: string | undefined;
  /** Ends the call for a reason that has nothing to do with who reads. */
  readonly fail: (error: StatusError) => void;
}

/** A read that waits for the rest of its message. */
interface Wait {
  readonly maxBytes: number;
  readonly resolve: (isThere: boolean) => void;
  readonly reject: (error: StatusError) => void;
}

/**
 * Reads the messages of a call, one at a time. Takes in their first bytes at once. Of a longer message it takes in no more
 * until somebody reads it and there is room for all of it.
 */
export class MessageReader implements Holder {
  readonly #stream: ServerHttp2Stream;
  readonly #options: MessageReaderOptions;
  /** What has arrived, in memory of its own, followed by room for more. */
  #kept: Buffer | undefined;
  #size = 0;
  #wait: Wait | undefined;
  #giveBack: (() => void) | undefined;
  #isReserved = false;
  #isPaused = false;
  #isBounded = false;
  #isDone = false;
  #isUsed = false;
  #isTimed = false;
  /** Whether the caller has sent all it wants to send. */
  hasEnded = false;

  constructor(stream: ServerHttp2Stream, options: MessageReaderOptions) {
    this.#stream = stream;
    this.#options = options;
    stream.on("data", (chunk: Buffer) => this.#receive(chunk));
    stream.on("end", () => {
      this.hasEnded = true;
      this.#proceed();
    });
  }

  /** Begins to count what the call holds, and for how long: it may be cut from now on. */
  open(): void {
    this.#startTimer();
    this.#count();
  }

  /**
   * Reads the next message with the given function, during which its bytes are counted. Resolves to `undefined` if there
   * is none. Rejects with a `StatusError` for a message that has more bytes than allowed, or does not come.
   */
  async read<T>(maxBytes: number, use: (message: Buffer) => T): Promise<T | undefined> {
    if (!(await this.#untilThere(maxBytes))) return undefined;
    const kept = this.#kept as Buffer;
    const end = prefixBytes + kept.readUInt32BE(1);
    const message = kept.subarray(prefixBytes, end);
    this.#isUsed = true;
    try {
      return use(
        kept[0] === 0 ? message : await inflate(message, this.#options.encoding, maxBytes),
      );
    } finally {
      this.#isUsed = false;
      if (this.#isDone) this.#release();
      else this.#forget(end);
    }
  }

  /** The first bytes of the next message, as many as there are before it is read: all of it, or at least some. */
  async peek(): Promise<Buffer> {
    while (!this.#isDone && !this.hasEnded && !this.#hasBeginning()) await this.#untilMore();
    return this.#kept?.subarray(prefixBytes, this.#size) ?? Buffer.alloc(0);
  }

  /** Reads no more, and tells whoever waits for a message why. What still arrives is dropped. */
  stop(code: status, message: string): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#kept = undefined;
    this.#size = 0;
    this.#stopTimer();
    // A message that is being decompressed is held until that is done, whoever still waits for it.
    if (!this.#isUsed) this.#release();
    this.#more?.();
    this.#wait?.reject(new StatusError(code, message));
    this.#wait = undefined;
    if (this.#isPaused) this.#stream.resume();
  }

  cut(): void {
    const message = "the server holds too many unread messages; try again later";
    this.#options.fail(new StatusError(status.RESOURCE_EXHAUSTED, message));
  }

  readonly #cutLate = (): void => {
    const message = "the message did not arrive in time; send it again";
    this.#options.fail(new StatusError(status.DEADLINE_EXCEEDED, message));
  };

  #more: (() => void) | undefined;

  #untilMore(): Promise<void> {
    return new Promise((resolve) => (this.#more = resolve));
  }

  /** Whether a whole message has arrived, or as much as is taken in before somebody reads it. */
  #hasBeginning(): boolean {
    return this.#size >= Math.min(this.#length() ?? Infinity, earlyBytes);
  }

  #startTimer(): void {
    if (!this.#isTimed) this.#options.timer.start(this.#cutLate);
    this.#isTimed = true;
  }

  #stopTimer(): void {
    if (this.#isTimed) this.#options.timer.stop(this.#cutLate);
    this.#isTimed = false;
  }

  #untilThere(maxBytes: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#isDone) return reject(new StatusError(status.CANCELLED, "the call is over"));
      this.#wait = { maxBytes, resolve, reject };
      this.#startTimer();
      this.#proceed();
    });
  }

  #receive(chunk: Buffer): void {
    if (this.#isDone) return;
    this.#keep(chunk);
    if (this.#size >= this.#room()) this.#pause();
    this.#count();
    this.#proceed();
  }

  /** How many bytes are taken in: the first ones or, where there is room, the whole message. */
  #room(): number {
    return this.#isReserved ? Math.max(this.#length() ?? 0, earlyBytes) : earlyBytes;
  }

  /** Copies what has arrived: the chunk is a view of everything that was read from the socket with it. */
  #keep(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (this.#kept === undefined || size > this.#kept.length) {
      const length = Math.max(size, Math.min(this.#length(chunk) ?? 0, earlyBytes));
      this.#enlarge(length);
    }
    chunk.copy(this.#kept as Buffer, this.#size);
    this.#size = size;
  }

  #enlarge(length: number): void {
    const larger = Buffer.allocUnsafeSlow(length);
    this.#kept?.copy(larger, 0, 0, this.#size);
    this.#kept = larger;
  }

  /** The length of the next message with its prefix, if it is known. */
  #length(chunk?: Buffer): number | undefined {
    const isKept = this.#size > 0;
    const bytes = isKept ? this.#kept : chunk;
    const size = isKept ? this.#size : (chunk?.length ?? 0);
    return bytes === undefined || size < prefixBytes
      ? undefined
      : prefixBytes + bytes.readUInt32BE(1);
  }

  /** Counts what this call holds, unless there is room that was reserved for it. */
  #count(): void {
    if (this.#isDone) return;
    const held = this.#isReserved ? 0 : (this.#kept?.length ?? 0);
    this.#options.bytes.hold(this, callBytes + held + (this.#isPaused ? windowBytes : 0));
  }

  /** Tells the reader of its message if it is there, or sees to it that the rest is read. */
  #proceed(): void {
    this.#more?.();
    this.#more = undefined;
    const wait = this.#wait;
    if (wait === undefined || this.#isDone) return;
    const length = this.#length();
    if (length !== undefined && length - prefixBytes > wait.maxBytes) {
      return this.#settle(() => wait.reject(tooLarge(length - prefixBytes, wait.maxBytes)));
    }
    const isCompressed = this.#kept?.[0] !== 0 && length !== undefined;
    const isLong = length !== undefined && (length > earlyBytes || isCompressed);
    if (isLong && this.#giveBack === undefined) {
      // What a compressed message becomes is only bounded by what a message may be.
      const room = length + (isCompressed ? wait.maxBytes : 0);
      this.#giveBack = this.#options.bytes.reserve(room, () => this.#begin(length));
    }
    if (length !== undefined && this.#size >= length) {
      if (!isLong || this.#isReserved) this.#settle(() => wait.resolve(true));
    } else if (this.hasEnded) {
      this.#settle(() => (this.#size === 0 ? wait.resolve(false) : wait.reject(incomplete())));
    } else if (!isLong && this.#isPaused) this.#resume();
  }

  /** Reads a long message, now that there is room for it. */
  #begin(length: number): void {
    this.#isReserved = true;
    if (length > (this.#kept?.length ?? 0)) this.#enlarge(length);
    if (this.#isPaused) this.#resume();
    this.#count();
    // `reserve` may call this before it has returned.
    queueMicrotask(() => this.#proceed());
  }

  #settle(tell: () => void): void {
    this.#stopTimer();
    this.#wait = undefined;
    tell();
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    if (!this.#isBounded) boundQueue(this.#stream, () => this.cut());
    this.#isBounded = true;
    this.#stream.pause();
  }

  #resume(): void {
    this.#isPaused = false;
    this.#stream.resume();
  }

  /** Forgets a message that was read, and keeps what has arrived after it. */
  #forget(end: number): void {
    const rest = this.#kept?.subarray(end, this.#size);
    this.#kept = undefined;
    this.#size = 0;
    this.#release();
    if (rest !== undefined && rest.length > 0) this.#keep(rest);
    if (this.#isPaused && this.#size < earlyBytes) this.#resume();
  }

  #release(): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
    this.#isReserved = false;
    this.#options.bytes.hold(this, 0);
  }
}

function tooLarge(length: number, maxBytes: number): StatusError {
  const message = `the message has ${length} bytes; expected at most ${maxBytes}`;
  return new StatusError(status.RESOURCE_EXHAUSTED, message);
}

function incomplete(): StatusError {
  return new StatusError(status.INVALID_ARGUMENT, "the message ends too early; send all of it");
}
