import type { IncomingMessage } from "node:http";
import { byTurn, ownTurn } from "../async/internal.js";
import { isLarge } from "../binding/internal.js";
import type { Connection } from "../binding/internal.js";
import { ArrivingBody, tooLarge } from "../http/internal.js";
import type { BodyPool, HttpRequest } from "../http/internal.js";
import { A2AError } from "../protocol/internal.js";
import type { TraceContext } from "../protocol/internal.js";
import type { Caller } from "./callers.js";

/** What frameworks add to node's request: where the listener is mounted, and a body that they have read. */
interface FrameworkRequest {
  readonly baseUrl?: unknown;
  readonly body?: unknown;
}

/** Node's request as the bindings see it. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  declare readonly around?: TraceContext | null;
  declare trace?: TraceContext;
  readonly #incoming: IncomingMessage & FrameworkRequest;
  readonly #caller: Caller;
  readonly #pool: BodyPool;
  #forgetBody: (() => void) | undefined;

  constructor(
    incoming: IncomingMessage,
    caller: Caller,
    { pool, around }: { readonly pool: BodyPool; readonly around: TraceContext | null | undefined },
  ) {
    this.method = incoming.method ?? "GET";
    this.target = incoming.url ?? "/";
    this.#incoming = incoming;
    this.#caller = caller;
    this.#pool = pool;
    if (around !== undefined) this.around = around;
  }

  get basePath(): string {
    const { baseUrl } = this.#incoming;
    return typeof baseUrl === "string" ? baseUrl : "";
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  get connection(): Connection {
    return this.#caller;
  }

  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  body(maxBytes: number): Uint8Array | Promise<Uint8Array> {
    const incoming = this.#incoming;
    const length = incoming.headers["content-length"];
    const declared = length === undefined ? undefined : Number(length);
    if (declared !== undefined && declared > maxBytes) throw tooLarge(maxBytes);
    if (incoming.readableEnded) return parsedBody(incoming.body);
    if (incoming.destroyed) throw connectionLost();
    return incoming.complete ? this.#read(maxBytes) : this.#receive(maxBytes, declared);
  }

  /** Takes a body that is here as a whole, as most are. No stream has to be set in motion for it. */
  #read(maxBytes: number): Uint8Array | Promise<Uint8Array> {
    const bytes = this.#incoming.read() as Buffer | null;
    if (bytes === null) return new Uint8Array();
    const pool = this.#pool;
    const body = new ArrivingBody({ pool, maxBytes, declared: bytes.byteLength, refuse });
    body.add(bytes);
    return isLarge(body.size) ? ownTurn().then(() => body.take()) : body.take();
  }

  /** Takes a body that arrives piece by piece. */
  #receive(maxBytes: number, declared: number | undefined): Promise<Uint8Array> {
    const incoming = this.#incoming;
    return new Promise((resolve, reject) => {
      const body = new ArrivingBody({
        pool: this.#pool,
        maxBytes,
        declared,
        refuse(error) {
          incoming.removeAllListeners("data");
          incoming.resume();
          reject(error);
        },
      });
      const take = (): void => resolve(body.take());
      const lose = (): void => {
        body.leave();
        reject(connectionLost());
      };
      const add = (piece: Buffer): void => body.add(piece);
      const end = (): void => {
        if (isLarge(body.size)) void ownTurn().then(take);
        else byTurn(take);
      };
      const close = (): void => {
        if (!incoming.readableEnded) lose();
      };
      incoming.on("data", add).on("end", end).on("error", lose).on("close", close);
      this.#forgetBody = () => {
        incoming.off("data", add).off("end", end).off("error", lose).off("close", close);
      };
    });
  }

  /** Lets go of whatever has read the body, for an answer that lasts much longer than its request. */
  forgetBody(): void {
    this.#forgetBody?.();
    this.#forgetBody = undefined;
  }
}

function refuse(error: A2AError): never {
  throw error;
}

/** The body that a framework's parser has read before. */
async function parsedBody(body: unknown): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array();
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}

function connectionLost(): A2AError {
  return new A2AError(
    "INVALID_REQUEST",
    "the connection was lost before the whole request had arrived",
  );
}
