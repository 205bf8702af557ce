import type { Credentials } from "../protocol/index.js";
import { cookieOf } from "../wire/index.js";
import type { GrpcRequest } from "./hosted-agent.js";

/** What a gRPC call shows of its caller: metadata are its headers, its query and its cookies. */
export function credentialsOf(request: GrpcRequest): Credentials {
  return {
    header: (name) => request.header(name),
    query: (name) => request.header(name.toLowerCase()),
    cookie: (name) => cookieOf(request.header("cookie"), name),
    // Asked of the socket, which is not for nothing.
    get address() {
      return request.peer.replace(/:\d+$/, "");
    },
    get certificate() {
      return request.certificate;
    },
  };
}
