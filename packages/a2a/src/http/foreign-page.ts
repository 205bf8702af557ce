import { A2AError } from "../protocol/internal.js";
import { parseUrl } from "../protocol/parse/internal.js";
import { isListed } from "./cors.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";
import { publicUrlOf } from "./public-url.js";

type PageOptions = Pick<HttpOptions, "trustsProxy" | "publicUrl" | "cors">;

/**
 * Whether a page of another origin made the request, going by what its browser says. A browser that names the site
 * (`Sec-Fetch-Site`, which pages cannot set) has compared the origins itself. Programs say neither.
 */
export function isOfForeignPage(request: HttpRequest, options: PageOptions): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = request.header("origin");
  return origin !== undefined && hostOf(origin) !== hostOf(publicUrlOf(request, options));
}

/**
 * The error for a request with which a page of another origin would change something, unless `cors` lists the page.
 * A browser sends such a request without asking first if it has no body, or one that a form could send; it only keeps
 * the answer from the page.
 */
export function foreignPageRefusal(
  request: HttpRequest,
  options: PageOptions,
): A2AError | undefined {
  const { method } = request;
  if (method === "GET" || method === "HEAD" || !isOfForeignPage(request, options)) return undefined;
  if (isListed(request, options.cors)) return undefined;
  return new A2AError(
    "PERMISSION_DENIED",
    "a web page of another origin made this request; the server answers such pages if its option cors lists their origin",
  );
}

/** Undefined for a value that is not a URL, such as the `null` of pages without an origin. */
function hostOf(url: string): string | undefined {
  return parseUrl(url)?.host;
}
