import type { Credentials } from "../protocol/internal.js";
import { clientAddress, cookieOf, requestIdOf } from "../wire/internal.js";
import type { GrpcOptions, GrpcRequest } from "./grpc-options.js";

/** What a gRPC call shows of its caller: metadata are its headers, its query and its cookies. */
export function credentialsOf(
  request: GrpcRequest,
  { trustsProxy }: Pick<GrpcOptions, "trustsProxy">,
): Credentials {
  const header = (name: string): string | undefined => request.header(name);
  let requestId: string | undefined;
  return {
    header,
    query: (name) => request.header(name.toLowerCase()),
    cookie: (name) => cookieOf(request.header("cookie"), name),
    // Asked of the socket, which is not for nothing.
    get address() {
      return clientAddress(addressOf(request.peer), header, trustsProxy);
    },
    get requestId() {
      return (requestId ??= requestIdOf(request.header("x-request-id")));
    },
    get certificate() {
      return request.certificate;
    },
  };
}

/** grpc-js writes an address and a port as `1.2.3.4:5` or `[::1]:5`; an IPv4 address may be in the form of IPv6. */
function addressOf(peer: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(peer) ?? [];
  return (bracketed ?? peer.replace(/:\d+$/, "")).replace(/^::ffff:(?=\d+\.)/i, "");
}
