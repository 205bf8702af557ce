import type { Metadata } from "@grpc/grpc-js";
import { RequestCredentials, withoutMapping } from "../binding/internal.js";
import type { Connection, IncomingRequest } from "../binding/internal.js";
import type { PeerCertificate } from "../protocol/internal.js";

/** The part of a call of grpc-js that unary and streaming calls share. */
export interface ServerCall {
  readonly metadata: Metadata;
  readonly request: Buffer;
  readonly cancelled: boolean;
  getPath(): string;
  getHost(): string;
  getPeer(): string;
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
  sendMetadata(metadata: Metadata): void;
  on(event: "cancelled", listener: () => void): unknown;
  off(event: "cancelled", listener: () => void): unknown;
}

/** A call of grpc-js as the bindings see a request: its metadata are the headers. */
export class GrpcRequest implements IncomingRequest {
  readonly signal: AbortSignal;
  readonly #call: ServerCall;

  constructor(call: ServerCall, signal: AbortSignal) {
    this.#call = call;
    this.signal = signal;
  }

  header(name: string): string | undefined {
    const values = this.#call.metadata.get(name);
    return values.length === 0 ? undefined : values.map(String).join(", ");
  }

  /** Reading the address and the certificate from the socket is slow, so each is read when it is needed. */
  get connection(): Connection {
    const call = this.#call;
    return {
      get address() {
        return addressOf(call.getPeer());
      },
      get certificate() {
        return call.getAuthContext().sslPeerCertificate;
      },
    };
  }
}

/** What a gRPC call shows of its caller. gRPC has no query: metadata of that name take its place. */
export class GrpcCredentials extends RequestCredentials {
  override query(name: string): string | undefined {
    return this.request.header(name.toLowerCase());
  }
}

/** The address without its port, which grpc-js writes as `1.2.3.4:5` or `[::1]:5`. */
function addressOf(peer: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(peer) ?? [];
  return withoutMapping(bracketed ?? peer.replace(/:\d+$/, ""));
}
