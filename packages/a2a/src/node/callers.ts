import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { LightSignal } from "../async/internal.js";
import { withoutMapping } from "../binding/internal.js";
import type { Connection } from "../binding/internal.js";

/** A connection as its calls see it, and whether anybody is left at its other end. */
export class Caller implements Connection {
  readonly address: string | undefined;
  readonly isSecure: boolean;
  readonly #socket: Socket;
  readonly #leaving = new LightSignal();

  constructor(socket: Socket) {
    const { remoteAddress } = socket;
    this.#socket = socket;
    this.address = remoteAddress === undefined ? undefined : withoutMapping(remoteAddress);
    this.isSecure = (socket as Partial<TLSSocket>).encrypted === true;
  }

  get localHost(): string {
    const { localAddress, localPort } = this.#socket;
    if (localAddress === undefined) return "localhost";
    return `${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`;
  }

  /** The verified certificate only: TLS may ask for a certificate without requiring a valid one. */
  get certificate(): Connection["certificate"] {
    const socket = this.#socket as TLSSocket;
    if (!this.isSecure || !socket.authorized) return undefined;
    const certificate = socket.getPeerCertificate();
    return certificate.raw === undefined ? undefined : certificate;
  }

  /** Aborts when the caller goes away, or is sent away. */
  get signal(): AbortSignal {
    return this.#leaving.toAbortSignal();
  }

  leave(): void {
    this.#leaving.abort();
  }
}

/**
 * Knows who calls, and tells calls when their callers are gone. Over HTTP/1 a caller that leaves closes its connection, so
 * the calls of one connection share a caller: to make a signal costs more than many a call.
 */
export class Callers {
  readonly #present = new Map<Socket | ServerResponse, Caller>();
  #areSentAway = false;

  of(incoming: IncomingMessage, response: ServerResponse): Caller {
    const presence = incoming.httpVersionMajor === 1 ? incoming.socket : response;
    return this.#present.get(presence) ?? this.#meet(presence, new Caller(incoming.socket));
  }

  /** Aborts the signals of all callers, those of later calls too. */
  sendAway(): void {
    this.#areSentAway = true;
    for (const caller of this.#present.values()) caller.leave();
  }

  #meet(presence: Socket | ServerResponse, caller: Caller): Caller {
    if (presence.destroyed || this.#areSentAway) caller.leave();
    if (presence.destroyed) return caller;
    this.#present.set(presence, caller);
    presence.on("close", () => {
      this.#present.delete(presence);
      caller.leave();
    });
    return caller;
  }
}
