import type { Credentials } from "../protocol/internal.js";
import type { IncomingRequest } from "./call.js";
import { clientAddress } from "./client-address.js";
import { requestIdOf } from "./request-id.js";

type TrustsProxy = ((address: string) => boolean) | undefined;

/**
 * What a request shows of its caller. Everything is read when an authenticator asks for it: to read a
 * certificate or an address from a socket is slow, and most authenticators need neither.
 */
export abstract class RequestCredentials<
  Request extends IncomingRequest = IncomingRequest,
> implements Credentials {
  protected readonly request: Request;
  readonly #trustsProxy: TrustsProxy;
  #requestId: string | undefined;

  constructor(request: Request, trustsProxy: TrustsProxy) {
    this.request = request;
    this.#trustsProxy = trustsProxy;
  }

  abstract query(name: string): string | undefined;

  header(name: string): string | undefined {
    return this.request.header(name);
  }

  cookie(name: string): string | undefined {
    return cookieOf(this.request.header("cookie"), name);
  }

  get address(): string | undefined {
    const header = (name: string): string | undefined => this.request.header(name);
    return clientAddress(this.request.connection?.address, header, this.#trustsProxy);
  }

  get requestId(): string {
    return (this.#requestId ??= requestIdOf(this.request.header("x-request-id")));
  }

  get certificate(): Credentials["certificate"] {
    return this.request.connection?.certificate;
  }
}

/** The value of the first cookie of this name in a `Cookie` header. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const index = pair.indexOf("=");
    if (index === -1 || pair.slice(0, index).trim() !== name) continue;
    const value = pair.slice(index + 1).trim();
    return decode(/^".*"$/.test(value) ? value.slice(1, -1) : value);
  }
  return undefined;
}

/** Most servers percent-encode what a cookie cannot hold. A value that does not decode stays as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
