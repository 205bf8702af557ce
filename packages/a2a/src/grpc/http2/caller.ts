import type { ServerHttp2Session } from "node:http2";
import { TLSSocket } from "node:tls";
import type { PeerCertificate } from "node:tls";
import type { ConnectionBytes } from "./message-bytes.js";

/** The other end of a connection. */
export class Caller {
  readonly bytes: ConnectionBytes;
  /** The address without its port; absent once the connection has gone. */
  readonly address: string | undefined;
  readonly #session: ServerHttp2Session;

  constructor(session: ServerHttp2Session, bytes: ConnectionBytes) {
    this.bytes = bytes;
    this.#session = session;
    // Each look at the socket of a session costs as much as a small call.
    this.address = session.socket.remoteAddress;
  }

  /** The certificate, if it leads to a trusted authority. */
  get certificate(): PeerCertificate | undefined {
    if (this.#session.destroyed) return undefined;
    const { socket } = this.#session;
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
    const certificate = socket.getPeerCertificate();
    return Object.hasOwn(certificate, "raw") ? certificate : undefined;
  }
}
