import type { Credentials } from "../protocol/index.js";
import { clientAddress, cookieOf, requestIdOf } from "../wire/index.js";
import type { HttpOptions } from "./hosted-agent.js";
import type { HttpRequest } from "./http-message.js";

/** What an HTTP request shows of its caller. */
export function credentialsOf(
  request: HttpRequest,
  query: URLSearchParams,
  { trustsProxy }: Pick<HttpOptions, "trustsProxy">,
): Credentials {
  const header = (name: string): string | undefined => request.header(name);
  let requestId: string | undefined;
  return {
    header,
    query: (name) => query.get(name) ?? undefined,
    cookie: (name) => cookieOf(request.header("cookie"), name),
    get address() {
      return clientAddress(request.connection?.address, header, trustsProxy);
    },
    get requestId() {
      return (requestId ??= requestIdOf(request.header("x-request-id")));
    },
    get certificate() {
      return request.connection?.certificate;
    },
  };
}
