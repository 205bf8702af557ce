import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";
import { publicUrlOf } from "./public-url.js";

/**
 * Whether a page of another origin made the request, without permission to use its user's credentials. A browser
 * adds cookies, certificates and remembered passwords to the requests of every page, so they do not show that the
 * user wants the call.
 */
export function isOfForeignPage(
  request: HttpRequest,
  options: Pick<HttpOptions, "cors" | "publicUrl" | "trustsProxy">,
): boolean {
  const origin = request.header("origin");
  if (origin === undefined) return false;
  const { cors } = options;
  const isTrusted =
    cors?.credentials === true && cors.origins !== "*" && cors.origins.includes(origin);
  return !isTrusted && hostOf(origin) !== hostOf(publicUrlOf(request, options));
}

/** Undefined for a value that is not a URL, such as the `null` of pages without an origin. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}
