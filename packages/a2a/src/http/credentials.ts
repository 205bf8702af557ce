import type { Credentials } from "../protocol/index.js";
import { cookieOf } from "../wire/index.js";
import type { HttpRequest } from "./http-message.js";

/** What an HTTP request shows of its caller. */
export function credentialsOf(request: HttpRequest, query: URLSearchParams): Credentials {
  return {
    header: (name) => request.header(name),
    query: (name) => query.get(name) ?? undefined,
    cookie: (name) => cookieOf(request.header("cookie"), name),
    get address() {
      return request.connection?.address;
    },
    get certificate() {
      return request.connection?.certificate;
    },
  };
}
