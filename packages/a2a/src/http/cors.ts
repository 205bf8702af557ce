import type { CorsOptions } from "./http-options.js";
import type { HttpHeaders, HttpRequest, HttpResponse } from "./http-message.js";

const exposed = "A2A-Extensions, X-A2A-Extensions, ETag, Retry-After, WWW-Authenticate";

/**
 * The origin that browsers send for a page of this one: an origin in other letters, or with a slash behind it, is the
 * same. `undefined` for what is no origin.
 */
export function normalOrigin(origin: string): string | undefined {
  const [, scheme = "", host = ""] = /^([a-z][\w+.-]*:\/\/)([^/?#*\s]+)\/?$/i.exec(origin) ?? [];
  if (scheme === "") return origin === "null" ? origin : undefined;
  // Only the schemes of the web have an origin by the rules for URLs: extensions and apps have their own.
  if (!/^https?:/i.test(scheme)) return `${scheme}${host}`;
  try {
    return new URL(origin).origin;
  } catch {
    return undefined;
  }
}

/** The options with each origin as browsers send it. A list with `*` in it means everyone. */
export function normalCors(cors: CorsOptions): CorsOptions {
  const { origins } = cors;
  if (origins === "*" || origins.includes("*")) return { ...cors, origins: "*" };
  return { ...cors, origins: origins.map((one) => normalOrigin(one) ?? one) };
}

/** Answers a browser that asks whether a page may call. Without the headers of `corsHeaders`, which are added later. */
export function preflight(request: HttpRequest, cors: CorsOptions | undefined): HttpResponse {
  if (!isListed(request, cors)) return { status: 204, headers: {} };
  const asked = request.header("access-control-request-headers") ?? "";
  return {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, POST, DELETE",
      "Access-Control-Allow-Headers": /^[\w\-, ]*$/.test(asked) ? asked : "",
      "Access-Control-Max-Age": "600",
    },
  };
}

/** The headers that let pages of an allowed origin read an answer. */
export function corsHeaders(request: HttpRequest, cors: CorsOptions | undefined): HttpHeaders {
  if (cors === undefined) return {};
  const { origins, credentials = false } = cors;
  // An answer that depends on the origin says so to caches, also where the request has no origin.
  const vary: HttpHeaders = origins === "*" ? {} : { Vary: "Origin" };
  if (!isListed(request, cors)) return vary;
  return {
    ...vary,
    "Access-Control-Allow-Origin": origins === "*" ? "*" : (request.header("origin") ?? ""),
    "Access-Control-Expose-Headers": exposed,
    ...(origins !== "*" && credentials && { "Access-Control-Allow-Credentials": "true" }),
  };
}

/** Whether a request comes from a page whose origin may call. */
export function isListed(request: HttpRequest, cors: CorsOptions | undefined): boolean {
  const origin = request.header("origin");
  if (origin === undefined || cors === undefined) return false;
  return cors.origins === "*" || cors.origins.includes(origin);
}
