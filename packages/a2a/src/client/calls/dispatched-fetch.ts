import type { Fetch } from "../../http/internal.js";
import { DispatchedAnswer } from "./dispatched-answer.js";
import type { Dispatcher } from "./dispatched-answer.js";

/** Where node keeps the dispatcher of its fetch, once its fetch was used. Other runtimes have none. */
const key = Symbol.for("undici.globalDispatcher.1");

/** Node's own fetch; `undefined` where somebody has replaced it. A program that replaces fetch wants its own to be called. */
const ownFetch = String(globalThis.fetch).includes("internal/deps/undici") ? fetch : undefined;

/** Node's timeouts give up on an answer after five silent minutes. */
const patient = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * Node's fetch without its timeout and without most of what it costs: the request goes to the dispatcher beneath it, so that
 * proxies and pools of connections are the same. What needs more than one request goes through fetch itself.
 */
export const platformFetch: Fetch = async (url, init) => {
  const dispatcher = (globalThis as Partial<Record<symbol, Dispatcher>>)[key];
  const { href, origin, pathname, search } = new URL(url);
  const isPlain = href.startsWith(`${origin}/`) && fetch === ownFetch;
  if (dispatcher === undefined || !isPlain) return fetch(url, init);
  const { method = "GET", body = null } = init;
  const headers = new Headers(init.headers);
  if (!headers.has("Accept-Encoding")) headers.set("Accept-Encoding", "gzip");
  headers.set("User-Agent", "node");
  const answer = new DispatchedAnswer(url, init.signal);
  const request = { origin, path: pathname + search, method, headers: [...headers].flat(), body };
  dispatcher.dispatch({ ...request, ...patient }, answer);
  const response = await answer.response;
  if (init.redirect === "manual" || !redirects.has(response.status)) return response;
  await response.body?.cancel();
  return fetch(url, { ...init, dispatcher: patientOf(dispatcher) } as RequestInit);
};

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

function patientOf(dispatcher: Dispatcher): Dispatcher {
  return {
    dispatch: (options, handler) => dispatcher.dispatch({ ...options, ...patient }, handler),
  };
}
