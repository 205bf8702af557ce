import { MountTable, optionsOf, reportInternal } from "../binding/internal.js";
import type { MountedAgent } from "../binding/internal.js";
import type { JsonObject, MountableAgent, Principal } from "../protocol/internal.js";
import { codecs, requestedVersion } from "../wire/internal.js";
import { CardServer } from "./cards/card-server.js";
import { agentOfCard, findCardOutside } from "./cards/find-card.js";
import type { FoundPoint } from "./cards/find-card.js";
import { HttpCredentials } from "./credentials.js";
import { corsHeaders, normalCors, preflight } from "./cors.js";
import type { Exchange } from "./exchange.js";
import type { HttpOptions } from "./http-options.js";
import { httpRules } from "./http-rules.js";
import type { HttpHandler, HttpHeaders, HttpRequest, HttpResponse } from "./http-message.js";
import { handleJsonRpc } from "./jsonrpc/handler.js";
import { handleRest } from "./rest/handler.js";
import { withSafeHeaders } from "./response-headers.js";

const noQuery = new URLSearchParams();

/**
 * Serves an agent, or several that are mounted, over HTTP: JSON-RPC at each agent's base URL, REST below it, and
 * the cards, in every version of the protocol. Answers every request; no error of an agent reaches a caller.
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
    if (options.publicKeys !== undefined && isKeySetPath(table, target)) {
      return answerKeySet(request, options.publicKeys);
    }
    const found = findPoint(table, target);
    if (found === undefined) return textResponse(404, "There is no agent at this path.");
    const exchange = createExchange(request, found, search);
    const isBaseUrl = found.path === "/";
    const agent = isBaseUrl ? undefined : agentOfCard(found.point, found.path);
    if (agent !== undefined) {
      return isRead(request) ? cards.handle(exchange, agent) : onlyRead("Cards are");
    }
    if (isMisdirected(request, options)) return misdirected();
    if (!isBaseUrl) return handleRest(exchange);
    return request.method === "POST" ? handleJsonRpc(exchange) : pointToCard(exchange);
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
    return { request, options, point, path, query, version, credentials, authenticate };
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

/** Whether a request names a host that this server does not answer for. A trusted proxy may name any. */
function isMisdirected(
  request: HttpRequest,
  { allowsHost, trustsProxy }: Pick<HttpOptions, "allowsHost" | "trustsProxy">,
): boolean {
  if (allowsHost === undefined) return false;
  const host = request.header("host");
  if (host === undefined || allowsHost(host)) return false;
  const address = request.connection?.address;
  return address === undefined || trustsProxy?.(address) !== true;
}

function misdirected(): HttpResponse {
  return textResponse(421, "This server does not answer for that host; configure its public URL.");
}

/** For people who open the URL in a browser. */
function pointToCard({ request, point }: Exchange): HttpResponse {
  const card = `${request.basePath ?? ""}${point.path}/.well-known/agent-card.json`;
  const text = `This is an A2A agent. Its card is at ${card}; messages are sent with POST.`;
  if (isRead(request)) return textResponse(200, text);
  return withHeaders(textResponse(405, text), { Allow: "GET, HEAD, POST" });
}

function isRead({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

const keySetPath = "/.well-known/jwks.json";

/** The server has one set of keys. It is at the origin, and below each agent for callers who know only that URL. */
function isKeySetPath({ points }: MountTable, target: string): boolean {
  return (
    target.endsWith(keySetPath) &&
    ["", ...points.map(({ path }) => path)].includes(target.slice(0, -keySetPath.length))
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

/** Splits a target into path and query. A target in absolute form begins with the origin (RFC 9112, 3.2.2). */
function splitTarget(target: string): readonly [path: string, search: string] {
  const local = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*/i, "");
  const index = local.indexOf("?");
  return index === -1 ? [local, ""] : [local.slice(0, index), local.slice(index + 1)];
}
