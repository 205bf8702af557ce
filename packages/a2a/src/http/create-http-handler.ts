import type { JsonObject, Principal } from "../protocol/internal.js";
import { codecs, requestedVersion } from "../wire/internal.js";
import { HttpCredentials } from "./credentials.js";
import { corsHeaders, preflight } from "./cors.js";
import type { Exchange } from "./exchange.js";
import { reportedFailure } from "./failure.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpHandler, HttpHeaders, HttpRequest, HttpResponse } from "./http-message.js";
import { handleJsonRpc } from "./jsonrpc/handler.js";
import { handleRest } from "./rest/handler.js";
import { withSafeHeaders } from "./safe-headers.js";
import { cardHost, createSites, findSite } from "./site.js";
import type { FoundSite, Host, Site } from "./site.js";
import { CardServer } from "./card-discovery.js";

const noQuery = new URLSearchParams();

/**
 * Serves agents over HTTP: JSON-RPC at each agent's base URL, REST below it, and its cards, in every
 * version of the protocol. Answers whatever comes; nothing an agent throws reaches a caller.
 */
export function createHttpHandler(options: HttpOptions): HttpHandler {
  const cards = new CardServer(options);
  const sites = createSites(options);
  return async (request) => {
    const answered = await answer(request).catch(lastResort);
    const response = withSafeHeaders(answered);
    return options.cors === undefined
      ? response
      : withHeaders(response, corsHeaders(request, options.cors));
  };

  async function answer(request: HttpRequest): Promise<HttpResponse> {
    if (request.method === "OPTIONS") return preflight(request, options.cors);
    const [target, search] = splitTarget(request.target);
    if (options.publicKeys !== undefined && isKeySetPath(sites, target)) {
      return answerKeySet(request, options.publicKeys);
    }
    const found = findSite(sites, target);
    if (found === undefined) return textResponse(404, "There is no agent at this path.");
    const exchange = createExchange(request, found, search);
    const host = cardHost(found.site, found.path);
    if (host !== undefined) return answerDiscovery(exchange, host);
    if (isMisdirected(request, options)) return misdirected();
    if (found.path !== "/") return handleRest(exchange);
    return request.method === "POST" ? handleJsonRpc(exchange) : pointToCard(exchange);
  }

  function createExchange(request: HttpRequest, found: FoundSite, search: string): Exchange {
    const query = search === "" ? noQuery : new URLSearchParams(search);
    const version = requestedVersion({ header: request.header("a2a-version"), query });
    const credentials = new HttpCredentials(request, query, options);
    let asked: Promise<Principal | undefined> | undefined;
    // A request is for one agent, so asking for its caller once is asking once for each.
    const principal = ({ auth }: Host): Promise<Principal | undefined> =>
      (asked ??= auth?.authenticate(credentials) ?? Promise.resolve(undefined));
    const { site, path } = found;
    return { request, site, path, options, query, version, credentials, principal };
  }

  async function answerDiscovery(exchange: Exchange, host: Host): Promise<HttpResponse> {
    return isRead(exchange.request) ? cards.handle(exchange, host) : onlyRead("Cards are");
  }

  /** Only what no binding has caught comes here; it says nothing about the cause. */
  function lastResort(error: unknown): HttpResponse {
    const { status, body } = codecs["1.0"].encodeHttpError(reportedFailure(error, options));
    const headers = { "Content-Type": "application/json" };
    return { status, headers, body: JSON.stringify(body) };
  }
}

/** Proxies that are trusted name whom they were asked for; the others are taken at their word. */
function isMisdirected(
  request: HttpRequest,
  { allowsHost, trustsProxy }: Pick<HttpOptions, "allowsHost" | "trustsProxy">,
): boolean {
  const host = request.header("host");
  if (allowsHost === undefined || host === undefined || allowsHost(host)) return false;
  const address = request.connection?.address;
  return address === undefined || trustsProxy?.(address) !== true;
}

function misdirected(): HttpResponse {
  return textResponse(421, "This server does not answer for that host; configure its public URL.");
}

/** For people who open the URL in a browser. */
function pointToCard({ request, site }: Exchange): HttpResponse {
  const card = `${request.basePath ?? ""}${site.path}/.well-known/agent-card.json`;
  const text = `This is an A2A agent. Its card is at ${card}; messages are sent with POST.`;
  if (isRead(request)) return textResponse(200, text);
  return withHeaders(textResponse(405, text), { Allow: "GET, HEAD, POST" });
}

function isRead({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

const keySetPath = "/.well-known/jwks.json";

/** One set of keys for the whole server: at its origin, and below each agent for who knows no more. */
function isKeySetPath(sites: readonly Site[], target: string): boolean {
  return (
    target.endsWith(keySetPath) &&
    ["", ...sites.map(({ path }) => path)].includes(target.slice(0, -keySetPath.length))
  );
}

async function answerKeySet(
  request: HttpRequest,
  publicKeys: () => Promise<JsonObject>,
): Promise<HttpResponse> {
  if (!isRead(request)) return onlyRead("Keys are");
  const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" };
  return { status: 200, headers, body: JSON.stringify(await publicKeys()) };
}

function onlyRead(what: string): HttpResponse {
  return withHeaders(textResponse(405, `${what} read with GET.`), { Allow: "GET, HEAD" });
}

function textResponse(status: number, text: string): HttpResponse {
  return { status, headers: { "Content-Type": "text/plain; charset=utf-8" }, body: `${text}\n` };
}

function withHeaders(response: HttpResponse, headers: HttpHeaders): HttpResponse {
  const vary = [response.headers["Vary"], headers["Vary"]].filter((one) => one !== undefined);
  const merged = { ...response.headers, ...headers };
  return { ...response, headers: vary.length > 0 ? { ...merged, Vary: vary.join(", ") } : merged };
}

/** Path and query of a target, which to a proxy is a whole URL (RFC 9112, 3.2.2). */
function splitTarget(target: string): readonly [path: string, search: string] {
  const local = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "");
  const index = local.indexOf("?");
  return index === -1 ? [local, ""] : [local.slice(0, index), local.slice(index + 1)];
}
