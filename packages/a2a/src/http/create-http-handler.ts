import { MountTable, optionsOf, reportInternal } from "../binding/internal.js";
import type { MountedAgent } from "../binding/internal.js";
import type { MountableAgent, Principal } from "../protocol/internal.js";
import { codecs, requestedVersion } from "../wire/internal.js";
import { AgentPages } from "./agent-pages.js";
import { CardServer } from "./cards/card-server.js";
import { agentOfCard, findCardOutside } from "./cards/find-card.js";
import type { FoundPoint } from "./cards/find-card.js";
import { HttpCredentials } from "./credentials.js";
import { corsHeaders, normalCors, preflight } from "./cors.js";
import type { Exchange } from "./exchange.js";
import { Health } from "./health.js";
import type { HttpOptions } from "./http-options.js";
import { httpRules } from "./http-rules.js";
import type { HttpHandler, HttpHeaders, HttpRequest, HttpResponse } from "./http-message.js";
import { handleJsonRpc } from "./jsonrpc/handler.js";
import { answerKeySet, isKeySetPath } from "./key-set.js";
import { prefersHtml } from "./accept/prefers-html.js";
import { forwardedHost } from "./public-url.js";
import { handleRest } from "./rest/handler.js";
import { withSafeHeaders } from "./response-headers.js";
import { onlyRead, textResponse } from "./text-response.js";
import { traceRequests } from "./trace-requests.js";

const noQuery = new URLSearchParams();

/**
 * Serves an agent, or several that are mounted, over HTTP: JSON-RPC at each agent's base URL, REST below it, and
 * the cards, in every version of the protocol; health, push keys and pages for people as well. Answers every
 * request; no error of an agent reaches a caller.
 */
export function createHttpHandler(
  agentOrOptions: MountableAgent | HttpOptions,
  furtherOptions: Omit<HttpOptions, "mounts"> = {},
): HttpHandler {
  return handleHttp(optionsOf("createHttpHandler()", httpRules, agentOrOptions, furtherOptions));
}

/** Serves over HTTP with options that have been checked. */
export function handleHttp(given: HttpOptions): HttpHandler {
  const options = given.cors === undefined ? given : { ...given, cors: normalCors(given.cors) };
  const cards = new CardServer(options);
  const table = new MountTable(options);
  const health = new Health(table);
  const pages = new AgentPages(table, options);
  const handle: HttpHandler = async (request) => {
    let response: HttpResponse;
    try {
      response = withSafeHeaders(await answer(request));
    } catch (error) {
      response = withSafeHeaders(lastResort(error));
    }
    return options.cors === undefined
      ? response
      : withHeaders(response, corsHeaders(request, options.cors));
  };
  return traceRequests(handle, options);

  function answer(request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    if (request.method === "OPTIONS") return preflight(request, options.cors);
    const [target, search] = splitTarget(request.target);
    if (options.publicKeys !== undefined && isKeySetPath(table, target)) {
      return isRead(request) ? answerKeySet(options.publicKeys) : onlyRead("Keys are");
    }
    const probed = health.answer(request, target);
    if (probed !== undefined) return isRead(request) ? probed : onlyRead("Health is");
    const found = findPoint(table, target);
    if (found === undefined) return pageAt(target, request, nothingHere);
    const exchange = createExchange(request, found, search);
    const isBaseUrl = found.path === "/";
    const agent = isBaseUrl ? undefined : agentOfCard(found.point, found.path);
    if (agent !== undefined) {
      return isRead(request) ? cards.handle(exchange, agent) : onlyRead("Cards are");
    }
    if (isMisdirected(request, options)) return misdirected();
    if (!isBaseUrl) return handleRest(exchange);
    if (request.method === "POST") return handleJsonRpc(exchange);
    return pageAt(target, request, () => pointToCard(exchange));
  }

  /** The page for people whose browser has asked for this path, or what there is in place of one. */
  async function pageAt(
    path: string,
    request: HttpRequest,
    instead: () => HttpResponse,
  ): Promise<HttpResponse> {
    const isForPeople = isRead(request) && prefersHtml(request.header("accept"));
    const isShown = isForPeople && !isMisdirected(request, options);
    return (isShown ? await pages.at(path, request) : undefined) ?? instead();
  }

  function createExchange(
    request: HttpRequest,
    { point, path }: FoundPoint,
    search: string,
  ): Exchange {
    const query = search === "" ? noQuery : new URLSearchParams(search);
    const version = requestedVersion({ header: request.header("a2a-version"), query });
    const credentials = point.authenticates
      ? new HttpCredentials(request, query, options)
      : undefined;
    let principal: Promise<Principal | undefined> | undefined;
    // A request is for one agent, so its caller is authenticated once whichever agent is given.
    const authenticate = ({ auth }: MountedAgent): Promise<Principal | undefined> =>
      (principal ??=
        (credentials && auth?.authenticate(credentials)) ?? Promise.resolve(undefined));
    const binding = path === "/" ? "JSONRPC" : "HTTP+JSON";
    return { request, options, binding, point, path, query, version, credentials, authenticate };
  }

  /** Answers an error that no binding has caught, without a word about its cause. */
  function lastResort(error: unknown): HttpResponse {
    const { status, body } = codecs["1.0"].encodeHttpError(reportInternal(error, options));
    const headers = { "Content-Type": "application/json" };
    return { status, headers, body: JSON.stringify(body) };
  }
}

function findPoint(table: MountTable, target: string): FoundPoint | undefined {
  const point = table.pointAt(target);
  if (point === undefined) return findCardOutside(table.points, target);
  return { point, path: target.slice(point.path.length) || "/" };
}

/**
 * Whether a request names a host that this server does not answer for: itself, or through a trusted proxy. To trust a
 * proxy is not to trust the names that it passes on; they are those that callers have chosen.
 */
function isMisdirected(
  request: HttpRequest,
  options: Pick<HttpOptions, "allowsHost" | "trustsProxy">,
): boolean {
  const { allowsHost } = options;
  if (allowsHost === undefined) return false;
  const isForeign = (host: string | undefined): boolean => host !== undefined && !allowsHost(host);
  return isForeign(request.header("host")) || isForeign(forwardedHost(request, options));
}

function misdirected(): HttpResponse {
  return textResponse(
    421,
    "This server does not answer for that host; name it in publicUrl or publicHosts (--public-url, --public-host).",
  );
}

function nothingHere(): HttpResponse {
  return textResponse(404, "There is no agent at this path.");
}

/** For people who ask without a browser. */
function pointToCard({ request, point }: Exchange): HttpResponse {
  const card = `${request.basePath ?? ""}${point.path}/.well-known/agent-card.json`;
  const text = `This is an A2A agent. Its card is at ${card}; messages are sent with POST.`;
  return isRead(request)
    ? textResponse(200, text)
    : textResponse(405, text, { Allow: "GET, HEAD, POST" });
}

function isRead({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function withHeaders(response: HttpResponse, headers: HttpHeaders): HttpResponse {
  const vary = [response.headers["Vary"], headers["Vary"]].filter((one) => one !== undefined);
  const merged = { ...response.headers, ...headers };
  return { ...response, headers: vary.length > 0 ? { ...merged, Vary: vary.join(", ") } : merged };
}

/** Splits a target into path and query. A target in absolute form begins with the origin (RFC 9112, 3.2.2). */
function splitTarget(target: string): readonly [path: string, search: string] {
  const local = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "");
  const index = local.indexOf("?");
  return index === -1 ? [local, ""] : [local.slice(0, index), local.slice(index + 1)];
}
