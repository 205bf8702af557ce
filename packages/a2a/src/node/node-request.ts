import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { PeerCertificate, TLSSocket } from "node:tls";
import { byTurn, LightSignal, ownTurn } from "../async/internal.js";
import { isLarge, withoutMapping } from "../binding/internal.js";
import { ArrivingBody, tooLarge } from "../http/internal.js";
import type { BodyPool, HttpRequest } from "../http/internal.js";
import { A2AError } from "../protocol/internal.js";

/** What frameworks add to node's request: where the listener is mounted, and a body that they have read. */
interface FrameworkRequest {
  readonly baseUrl?: unknown;
  readonly body?: unknown;
}

/** Node's request as the bindings see it. */
export class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly target: string;
  readonly #incoming: IncomingMessage & FrameworkRequest;
  readonly #response: ServerResponse;
  readonly #callers: Callers;
  readonly #pool: BodyPool;
  #forgetBody: (() => void) | undefined;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    { callers, pool }: { readonly callers: Callers; readonly pool: BodyPool },
  ) {
    this.method = incoming.method ?? "GET";
    this.target = incoming.url ?? "/";
    this.#incoming = incoming;
    this.#response = response;
    this.#callers = callers;
    this.#pool = pool;
  }

  get basePath(): string {
    const { baseUrl } = this.#incoming;
    return typeof baseUrl === "string" ? baseUrl : "";
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  get connection(): NonNullable<HttpRequest["connection"]> {
    const { socket } = this.#incoming;
    const { remoteAddress: address, localAddress, localPort } = socket;
    const isSecure = (socket as Partial<TLSSocket>).encrypted === true;
    const certificate = isSecure ? certificateOf(socket as TLSSocket) : undefined;
    const local = localAddress?.includes(":") === true ? `[${localAddress}]` : localAddress;
    return {
      isSecure,
      ...(address !== undefined && { address: withoutMapping(address) }),
      ...(certificate !== undefined && { certificate }),
      ...(local !== undefined && { localHost: `${local}:${localPort}` }),
    };
  }

  get signal(): AbortSignal {
    return this.#callers.signalOf(this.#incoming, this.#response);
  }

  body(maxBytes: number): Promise<Uint8Array> {
    const incoming = this.#incoming;
    const length = incoming.headers["content-length"];
    const declared = length === undefined ? undefined : Number(length);
    if (declared !== undefined && declared > maxBytes) return Promise.reject(tooLarge(maxBytes));
    if (incoming.readableEnded) return parsedBody(incoming.body);
    if (incoming.destroyed) return Promise.reject(connectionLost());
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

/** The verified certificate only: TLS may ask for a certificate without requiring a valid one. */
function certificateOf(socket: TLSSocket): PeerCertificate | undefined {
  if (!socket.authorized) return undefined;
  const certificate = socket.getPeerCertificate();
  return certificate.raw === undefined ? undefined : certificate;
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

/**
 * Tells calls when their callers are gone. Over HTTP/1 a caller that leaves closes its connection, so the calls of
 * one connection share a signal: to create a signal costs more than many a call.
 */
export class Callers {
  readonly #present = new Map<Socket | ServerResponse, LightSignal>();
  #areSentAway = false;

  /** A signal that aborts when the caller goes away, or is sent away. */
  signalOf(incoming: IncomingMessage, response: ServerResponse): AbortSignal {
    const presence = incoming.httpVersionMajor === 1 ? incoming.socket : response;
    return (this.#present.get(presence) ?? this.#watch(presence)).toAbortSignal();
  }

  /** Aborts the signals of all callers, those of later calls too. */
  sendAway(): void {
    this.#areSentAway = true;
    for (const signal of this.#present.values()) signal.abort();
  }

  #watch(presence: Socket | ServerResponse): LightSignal {
    const signal = new LightSignal();
    if (presence.destroyed || this.#areSentAway) signal.abort();
    if (presence.destroyed) return signal;
    this.#present.set(presence, signal);
    presence.on("close", () => {
      this.#present.delete(presence);
      signal.abort();
    });
    return signal;
  }
}
