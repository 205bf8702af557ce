import * as oauth from "oauth4webapi";
import { A2AError } from "../../protocol/internal.js";
import { parseUrl } from "../../protocol/parse/internal.js";
import { unreachable } from "../../binding/internal.js";
import { readText, withRetryAfter } from "../../http/internal.js";
import type { Fetch } from "../../http/internal.js";

/** Checks that an endpoint is secure, since others name the endpoints. Throws `UNAUTHENTICATED`. */
export function checkEndpoint(url: string | undefined, what: string): string {
  if (url === undefined) {
    throw new A2AError("UNAUTHENTICATED", `the authorization server has no ${what}`);
  }
  const parsed = parseUrl(url);
  if (parsed !== undefined && (parsed.protocol === "https:" || isPlainLoopback(parsed))) return url;
  throw new A2AError("UNAUTHENTICATED", `the ${what} ${JSON.stringify(url)} is not an https URL`);
}

function isPlainLoopback({ protocol, hostname }: URL): boolean {
  const isLoopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "http:" && isLoopback;
}

/** Options for a request to an endpoint that `checkEndpoint` has checked. */
export function requestOptions(
  fetch: Fetch,
  signal: AbortSignal,
): oauth.HttpRequestOptions<"POST", URLSearchParams> {
  return {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url, init) => fetchEndpoint(fetch, url, init),
    signal,
  };
}

/** Metadata and tokens have a few kilobytes. */
const limit = { maxBytes: 1024 * 1024, option: "" };

/** How long a server may take for an answer. */
const timeoutMs = 60_000;

/**
 * Reads an answer whole, within limits of size and time. Follows no redirects, which could lead to another server.
 * Throws `UNAVAILABLE` when the server fails.
 */
export async function fetchEndpoint(
  fetch: Fetch,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  const fail = (error: unknown): never => {
    init.signal?.throwIfAborted();
    if (!A2AError.is(error)) throw unreachable(url, error);
    throw new A2AError("UNAUTHENTICATED", `${url} answered with more than ${limit.maxBytes} bytes`);
  };
  const response = await fetch(url, { ...init, signal, redirect: "manual" }).catch(fail);
  const { status, headers } = response;
  if (status < 500 && status !== 429) {
    const text = await readText(response, limit).catch(fail);
    return new Response(text === "" ? null : text, { status, headers });
  }
  await response.body?.cancel();
  const message = `${url} answered HTTP ${response.status}`;
  throw withRetryAfter(new A2AError("UNAVAILABLE", message), response);
}
