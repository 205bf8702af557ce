import type { CorsOptions } from "./hosted-agent.js";
import type { HttpHeaders, HttpRequest, HttpResponse } from "./http-message.js";

const exposed = "A2A-Extensions, X-A2A-Extensions, ETag, Retry-After, WWW-Authenticate";

/** The answer to a browser that asks first whether it may call. */
export function preflight(request: HttpRequest, cors: CorsOptions | undefined): HttpResponse {
  const headers = corsHeaders(request, cors);
  const asked = request.header("access-control-request-headers") ?? "";
  return {
    status: 204,
    headers: {
      ...headers,
      ...(headers["Access-Control-Allow-Origin"] !== undefined && {
        "Access-Control-Allow-Methods": "GET, POST, DELETE",
        "Access-Control-Allow-Headers": /^[\w\-, ]*$/.test(asked) ? asked : "",
        "Access-Control-Max-Age": "600",
      }),
    },
  };
}

/** Lets the pages of allowed origins read an answer; nothing for all others. */
export function corsHeaders(request: HttpRequest, cors: CorsOptions | undefined): HttpHeaders {
  const origin = request.header("origin");
  if (cors === undefined || origin === undefined) return {};
  const { origins, credentials = false } = cors;
  if (origins !== "*" && !origins.includes(origin)) return { Vary: "Origin" };
  return {
    "Access-Control-Allow-Origin": origins === "*" ? "*" : origin,
    "Access-Control-Expose-Headers": exposed,
    ...(origins !== "*" && { Vary: "Origin" }),
    ...(origins !== "*" && credentials && { "Access-Control-Allow-Credentials": "true" }),
  };
}
