import type { Credentials } from "../protocol/index.js";
import { clientAddress, cookieOf, requestIdOf } from "../wire/index.js";
import { isOfForeignPage } from "./foreign-page.js";
import type { HttpOptions } from "./hosted-agent.js";
import type { HttpRequest } from "./http-message.js";

/** What an HTTP request shows of its caller, without what a browser may have added to it unasked. */
export function credentialsOf(
  request: HttpRequest,
  query: URLSearchParams,
  options: Pick<HttpOptions, "trustsProxy" | "publicUrl" | "cors">,
): Credentials {
  const { trustsProxy, cors } = options;
  const isForeign = isOfForeignPage(request, options);
  // Where any page may call, it may give a password itself.
  const hidesPassword = isForeign && cors?.origins !== "*";
  const header = (name: string): string | undefined => {
    const value = request.header(name);
    return hidesPassword && name === "authorization" && isPassword(value) ? undefined : value;
  };
  let requestId: string | undefined;
  return {
    header,
    query: (name) => query.get(name) ?? undefined,
    cookie: (name) => (isForeign ? undefined : cookieOf(request.header("cookie"), name)),
    get address() {
      return clientAddress(request.connection?.address, header, trustsProxy);
    },
    get requestId() {
      return (requestId ??= requestIdOf(request.header("x-request-id")));
    },
    get certificate() {
      return isForeign ? undefined : request.connection?.certificate;
    },
  };
}

/** Of the schemes that browsers remember and repeat. */
function isPassword(authorization: string | undefined): boolean {
  return /^(?:basic|digest|negotiate|ntlm)\b/i.test(authorization ?? "");
}
