import { createDeferred } from "../../async/internal.js";
import type { Deferred } from "../../async/internal.js";

/** The part of undici's dispatcher that is used. */
export interface Dispatcher {
  dispatch(options: object, handler: DispatchHandler): unknown;
}

/** Bytes of a header, in a `Buffer` of node. */
interface RawText {
  toString(encoding: "latin1"): string;
}

/** What a dispatcher tells of an exchange. */
export interface DispatchHandler {
  onConnect(abort: (reason: unknown) => void): void;
  /** May be called for interim answers before. False pauses the connection until `resume`. */
  onHeaders(status: number, headers: readonly RawText[], resume: () => void): boolean;
  onData(bytes: Uint8Array<ArrayBuffer>): boolean;
  onComplete(): void;
  onError(error: Error): void;
}

/** Statuses whose answers have no body. */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** How many reads of the socket wait for their reader before the connection is paused. */
const highWaterMark = 4;

/** The answer of an exchange as a response, whose body is read as it comes. The signal ends the exchange at any time. */
export class DispatchedAnswer implements DispatchHandler {
  readonly #response: Deferred<Response> = createDeferred();
  readonly #url: string;
  readonly #signal: AbortSignal | null | undefined;
  #abort: ((reason: unknown) => void) | undefined;
  /** What has come and waits for the end of the turn. */
  #pieces: Uint8Array<ArrayBuffer>[] = [];
  #body: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;

  constructor(url: string, signal: AbortSignal | null | undefined) {
    signal?.throwIfAborted();
    this.#url = url;
    this.#signal = signal;
    signal?.addEventListener("abort", this.#stop, { once: true });
  }

  get response(): Promise<Response> {
    return this.#response.promise;
  }

  onConnect(abort: (reason: unknown) => void): void {
    this.#abort = abort;
    if (this.#signal?.aborted === true) abort(this.#signal.reason);
  }

  onHeaders(status: number, headers: readonly RawText[], resume: () => void): boolean {
    if (status < 200) return true;
    const fields = fieldsOf(headers);
    const raw = emptyStatuses.has(status) ? null : this.#openBody(resume);
    const isPacked = fields.get("content-encoding")?.trim().toLowerCase() === "gzip";
    const body = isPacked && raw ? raw.pipeThrough(new DecompressionStream("gzip")) : raw;
    const response = new Response(body, { status, headers: fields });
    this.#response.resolve(Object.defineProperty(response, "url", { value: this.#url }));
    return true;
  }

  onData(bytes: Uint8Array<ArrayBuffer>): boolean {
    // After a pause the dispatcher may begin with no bytes, which are no reason to pause again.
    if (bytes.length === 0) return true;
    if (this.#pieces.push(bytes) === 1) queueMicrotask(this.#flush);
    return (this.#body?.desiredSize ?? 1) > 0;
  }

  onComplete(): void {
    this.#leave();
    this.#flush();
    this.#body?.close();
  }

  onError(error: Error): void {
    this.#leave();
    this.#response.reject(error);
    this.#body?.error(error);
    this.#body = undefined;
  }

  #openBody(resume: () => void): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream(
      {
        start: (controller) => void (this.#body = controller),
        pull: resume,
        cancel: (reason) => {
          this.#body = undefined;
          this.#abort?.(reason);
        },
      },
      { highWaterMark },
    );
  }

  /** Hands on as one piece what one read of the socket has brought: a server writes each event of a stream as a chunk. */
  readonly #flush = (): void => {
    const pieces = this.#pieces;
    this.#pieces = [];
    if (pieces.length > 0) this.#body?.enqueue(joined(pieces));
  };

  readonly #stop = (): void => {
    const { reason } = this.#signal ?? {};
    this.#response.reject(reason);
    this.#abort?.(reason);
  };

  #leave(): void {
    this.#signal?.removeEventListener("abort", this.#stop);
  }
}

/** Names and values come in turns. */
function fieldsOf(raw: readonly RawText[]): Headers {
  const texts = raw.map((bytes) => bytes.toString("latin1"));
  const headers = new Headers();
  for (let at = 0; at < texts.length; at += 2) headers.append(texts[at] ?? "", texts[at + 1] ?? "");
  return headers;
}

function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const whole = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
