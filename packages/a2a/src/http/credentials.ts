import type { Credentials } from "../protocol/internal.js";
import { clientAddress, cookieOf, requestIdOf } from "../wire/internal.js";
import { isOfForeignPage } from "./foreign-page.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";

type Believed = Pick<HttpOptions, "trustsProxy" | "publicUrl" | "cors">;

/** What an HTTP request shows of its caller, without what a browser may have added to it unasked. */
export class HttpCredentials implements Credentials {
  readonly #request: HttpRequest;
  readonly #query: URLSearchParams;
  readonly #options: Believed;
  #isForeign: boolean | undefined;
  #requestId: string | undefined;

  constructor(request: HttpRequest, query: URLSearchParams, options: Believed) {
    this.#request = request;
    this.#query = query;
    this.#options = options;
  }

  header(name: string): string | undefined {
    const value = this.#request.header(name);
    return name === "authorization" && this.#hidesPassword && isPassword(value) ? undefined : value;
  }

  query(name: string): string | undefined {
    return this.#query.get(name) ?? undefined;
  }

  cookie(name: string): string | undefined {
    return this.#comesFromForeignPage ? undefined : cookieOf(this.#request.header("cookie"), name);
  }

  get address(): string | undefined {
    const { trustsProxy } = this.#options;
    const header = (name: string): string | undefined => this.header(name);
    return clientAddress(this.#request.connection?.address, header, trustsProxy);
  }

  get requestId(): string {
    return (this.#requestId ??= requestIdOf(this.#request.header("x-request-id")));
  }

  get certificate(): Credentials["certificate"] {
    return this.#comesFromForeignPage ? undefined : this.#request.connection?.certificate;
  }

  get #comesFromForeignPage(): boolean {
    return (this.#isForeign ??= isOfForeignPage(this.#request, this.#options));
  }

  /** Where any page may call, it may give a password itself. */
  get #hidesPassword(): boolean {
    return this.#comesFromForeignPage && this.#options.cors?.origins !== "*";
  }
}

/** Of the schemes that browsers remember and repeat. */
function isPassword(authorization: string | undefined): boolean {
  return /^(?:basic|digest|negotiate|ntlm)\b/i.test(authorization ?? "");
}
