import { A2AError } from "../protocol/index.js";
import type { AgentExtension } from "../protocol/index.js";
import { isDiscoveryPath, requestedVersion } from "../wire/index.js";
import { corsHeaders, preflight } from "./cors.js";
import type { Exchange } from "./exchange.js";
import type { HttpOptions, Mount } from "./hosted-agent.js";
import type { HttpHandler, HttpHeaders, HttpRequest, HttpResponse } from "./http-message.js";
import { handleJsonRpc } from "./jsonrpc/handler.js";
import { handleRest } from "./rest/handler.js";
import { CardServer } from "./well-known.js";

interface Site {
  readonly mount: Mount;
  /** Without a trailing slash; empty at the root. */
  readonly path: string;
  readonly declared: readonly AgentExtension[];
}

/**
 * Serves agents over HTTP: JSON-RPC at each agent's base URL, REST below it, and its cards, in every
 * version of the protocol. Answers whatever comes; nothing an agent throws reaches a caller.
 */
export function createHttpHandler(options: HttpOptions): HttpHandler {
  const cards = new CardServer(options);
  const sites = options.mounts.map(siteOf).toSorted((a, b) => b.path.length - a.path.length);
  return async (request) => {
    const response = await answer(request).catch((error: unknown) => lastResort(error));
    const headers = corsHeaders(request, options.cors);
    return Object.keys(headers).length === 0 ? response : withHeaders(response, headers);
  };

  async function answer(request: HttpRequest): Promise<HttpResponse> {
    if (request.method === "OPTIONS") return preflight(request, options.cors);
    const [target, search] = split(request.target, "?");
    const site = sites.find(({ path }) => target === path || target.startsWith(`${path}/`));
    if (site === undefined) return notFound();
    const query = new URLSearchParams(search);
    const header = request.header("a2a-version");
    const exchange: Exchange = {
      request,
      mount: site.mount,
      options,
      path: target.slice(site.path.length) || "/",
      query,
      version: requestedVersion({ header, query }),
      declared: site.declared,
    };
    if (isDiscoveryPath(exchange.path)) return answerDiscovery(exchange);
    if (exchange.path === "/" && request.method === "POST") return handleJsonRpc(exchange);
    return exchange.path === "/" ? pointToCard(site) : handleRest(exchange);
  }

  async function answerDiscovery(exchange: Exchange): Promise<HttpResponse> {
    const { method } = exchange.request;
    if (method === "GET" || method === "HEAD") return cards.handle(exchange);
    return { ...textResponse(405, "Cards are read with GET."), headers: { Allow: "GET, HEAD" } };
  }
}

function siteOf(mount: Mount): Site {
  const path = (mount.path ?? "/").replace(/\/+$/, "");
  return { mount, path, declared: mount.agent.card([]).capabilities.extensions ?? [] };
}

/** For people who open the URL in a browser. */
function pointToCard({ path }: Site): HttpResponse {
  const card = `${path}/.well-known/agent-card.json`;
  return textResponse(
    200,
    `This is an A2A agent. Its card is at ${card}; messages are sent with POST.`,
  );
}

function notFound(): HttpResponse {
  return textResponse(404, "There is no agent at this path.");
}

/** Only what no binding has caught comes here; it says nothing about the cause. */
function lastResort(error: unknown): HttpResponse {
  const isOurs = A2AError.is(error) && error.code !== "INTERNAL";
  return textResponse(isOurs ? 400 : 500, isOurs ? error.message : "Internal error");
}

function textResponse(
  status: number,
  text: string,
): HttpResponse & { readonly headers: HttpHeaders } {
  return { status, headers: { "Content-Type": "text/plain; charset=utf-8" }, body: `${text}\n` };
}

function withHeaders(response: HttpResponse, headers: HttpHeaders): HttpResponse {
  const vary = [response.headers["Vary"], headers["Vary"]].filter((one) => one !== undefined);
  const merged = { ...response.headers, ...headers };
  return { ...response, headers: vary.length > 0 ? { ...merged, Vary: vary.join(", ") } : merged };
}

function split(text: string, separator: string): readonly [string, string] {
  const index = text.indexOf(separator);
  return index === -1 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}
