import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";
import { publicUrlOf } from "./public-url.js";

/**
 * Whether a request is made by a page from elsewhere that was not told it may use its user's credentials.
 * A browser adds cookies, certificates and passwords that it keeps, unasked, whatever page a request is
 * from; such a request says nothing about what its user wants.
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

/** Undefined for what is no URL, such as the `null` of pages without an origin. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}
