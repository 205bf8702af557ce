import { RequestCredentials, withoutMapping } from "../binding/internal.js";
import type { Connection, IncomingRequest } from "../binding/internal.js";
import type { ServerCall } from "./http2/server-call.js";

/** A call as the bindings see a request: its metadata are the headers. */
export class GrpcRequest implements IncomingRequest {
  readonly signal?: AbortSignal;
  readonly #call: ServerCall;

  constructor(call: ServerCall, signal?: AbortSignal) {
    this.#call = call;
    if (signal !== undefined) this.signal = signal;
  }

  header(name: string): string | undefined {
    return this.#call.header(name);
  }

  /** Reading the certificate from the socket is slow, so it is read when it is needed. */
  get connection(): Connection {
    const { caller } = this.#call;
    return {
      address: caller.address && withoutMapping(caller.address),
      get certificate() {
        return caller.certificate;
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
