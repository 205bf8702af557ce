import type { Credentials } from "../protocol/internal.js";
import { clientAddress } from "./client-address.js";
import { cookieOf } from "./cookie.js";
import type { IncomingRequest } from "./incoming-request.js";
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
