import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { A2AError } from "../protocol/index.js";
import type { HttpRequest } from "../http/index.js";

/** Node's request as the bindings see it. The signal is made only when somebody asks for it. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  #abort: AbortController | undefined;

  constructor(incoming: IncomingMessage, response: ServerResponse) {
    this.method = incoming.method ?? "GET";
    this.target = incoming.url ?? "/";
    this.#incoming = incoming;
    this.#response = response;
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  get connection(): NonNullable<HttpRequest["connection"]> {
    const { socket } = this.#incoming;
    const { remoteAddress: address } = socket;
    const isSecure = (socket as Partial<TLSSocket>).encrypted === true;
    return { isSecure, ...(address !== undefined && { address }) };
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#response.destroyed) this.abort();
      else this.#response.once("close", () => this.abort());
    }
    return this.#abort.signal;
  }

  /** Ends the waiting of whoever works on this request; never the work itself. */
  abort(): void {
    this.#abort ??= new AbortController();
    this.#abort.abort();
  }

  body(maxBytes: number): Promise<Uint8Array> {
    const incoming = this.#incoming;
    const declared = Number(incoming.headers["content-length"] ?? 0);
    if (declared > maxBytes) return Promise.reject(tooLarge(maxBytes));
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      incoming.on("data", (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size > maxBytes) {
          incoming.removeAllListeners("data");
          incoming.resume();
          reject(tooLarge(maxBytes));
        } else chunks.push(chunk);
      });
      incoming.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
      incoming.once("error", () => reject(brokenOff()));
      incoming.once("aborted", () => reject(brokenOff()));
    });
  }
}

function tooLarge(maxBytes: number): A2AError {
  return new A2AError("REQUEST_TOO_LARGE", `the body has more than ${maxBytes} bytes`);
}

function brokenOff(): A2AError {
  return new A2AError("INVALID_REQUEST", "the request broke off");
}
