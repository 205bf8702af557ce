import { RequestCredentials } from "../binding/internal.js";
import type { Credentials } from "../protocol/internal.js";
import { isListed } from "./cors.js";
import { isOfForeignPage } from "./foreign-page.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";

type CredentialOptions = Pick<HttpOptions, "trustsProxy" | "publicUrl" | "cors">;

/**
 * What an HTTP request shows of its caller. Hides what a browser adds unasked to a request of a foreign page:
 * cookies, certificates, and passwords that it remembers.
 */
export class HttpCredentials extends RequestCredentials<HttpRequest> {
  readonly #query: URLSearchParams;
  readonly #options: CredentialOptions;
  #isForeign: boolean | undefined;

  constructor(request: HttpRequest, query: URLSearchParams, options: CredentialOptions) {
    super(request, options.trustsProxy);
    this.#query = query;
    this.#options = options;
  }

  override header(name: string): string | undefined {
    const value = super.header(name);
    return name === "authorization" && this.#hidesPassword && isPassword(value) ? undefined : value;
  }

  override query(name: string): string | undefined {
    return this.#query.get(name) ?? undefined;
  }

  override cookie(name: string): string | undefined {
    return this.#comesFromForeignPage ? undefined : super.cookie(name);
  }

  override get certificate(): Credentials["certificate"] {
    return this.#comesFromForeignPage ? undefined : super.certificate;
  }

  get #comesFromForeignPage(): boolean {
    return (this.#isForeign ??= isOfUntrustedPage(this.request, this.#options));
  }

  /** Where pages of every origin may call, a page may send a password itself. */
  get #hidesPassword(): boolean {
    return this.#comesFromForeignPage && this.#options.cors?.origins !== "*";
  }
}

/** Whether the scheme is one whose password browsers remember and repeat. */
function isPassword(authorization: string | undefined): boolean {
  return /^(?:basic|digest|negotiate|ntlm)\b/i.test(authorization ?? "");
}

/**
 * Whether a page of another origin made the request, without permission to use its user's credentials. A browser
 * adds cookies, certificates and remembered passwords to the requests of every page, so they do not show that the
 * user wants the call.
 */
function isOfUntrustedPage(request: HttpRequest, options: CredentialOptions): boolean {
  const { cors } = options;
  if (request.header("origin") === undefined || !isOfForeignPage(request, options)) return false;
  return cors?.credentials !== true || cors.origins === "*" || !isListed(request, cors);
}
