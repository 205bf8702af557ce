import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";

export type Json = Record<string, unknown>;

/** A request to the front, with the JSON-RPC method if it has one. */
export interface FrontRequest {
  readonly method: string;
  readonly path: string;
  readonly rpc?: string;
  readonly id?: unknown;
  readonly headers: IncomingMessage["headers"];
}

export interface FrontAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What is wrong with a front. */
export interface Defect {
  /** Changes the card, whose URLs lead to the front; `undefined` is none at all. */
  readonly card?: (card: Json, origin: string) => Json | undefined;
  /** The path of the card below the origin; `/.well-known/agent-card.json` when absent. */
  readonly cardPath?: string;
  readonly cardHeaders?: Readonly<Record<string, string>>;
  /** Answers in place of the agent. */
  readonly answer?: (request: FrontRequest) => FrontAnswer | undefined;
  /** Changes the body of an answer; streams are then held back to their end. */
  readonly change?: (body: string, request: FrontRequest, response: Response) => string;
  /** What becomes of streams: held back to their end, cut when nothing comes for this long, compressed. */
  readonly streams?: "hold" | "compress" | { readonly idleMs: number };
  /** Where the front is said to be; its own address when absent. */
  readonly origin?: string;
}

export interface Front extends AsyncDisposable {
  readonly url: string;
}

/** A proxy before servers of the demo agent, which spoils what the defect says. Requests go to the servers in turn. */
export async function openFront(upstreams: readonly string[], defect: Defect): Promise<Front> {
  let turn = 0;
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = defect.origin ?? url;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { url: path = "/", method = "GET", headers } = request;
    if (path.startsWith("/.well-known/agent")) return serveCard(path, headers, response);
    const asked = { method, path, headers, ...readRpc(body) };
    const answer = defect.answer?.(asked);
    if (answer !== undefined) {
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    turn += 1;
    const upstream = upstreams[turn % upstreams.length] ?? "";
    const passed = await fetch(`${upstream}${path}`, {
      method,
      headers: passedHeaders(headers),
      body: body.length > 0 ? new Uint8Array(body) : null,
      redirect: "manual",
    });
    const change = defect.change;
    if (change === undefined) return pass(passed, response, defect.streams);
    const changed = change(await passed.text(), asked, passed);
    const init = { status: passed.status, headers: passed.headers };
    await pass(new Response(changed, init), response, "hold");
  }

  async function serveCard(
    path: string,
    headers: IncomingMessage["headers"],
    response: ServerResponse,
  ): Promise<void> {
    const [upstream = ""] = upstreams;
    const found = await fetch(`${upstream}/.well-known/agent-card.json`, {
      headers: passedHeaders(headers),
    });
    if (path !== (defect.cardPath ?? "/.well-known/agent-card.json") || !found.ok) {
      response.writeHead(found.status === 304 ? 304 : 404).end("<h1>Not Found</h1>");
      return;
    }
    const text = (await found.text()).replaceAll(upstream, origin);
    const card = oneInterface(JSON.parse(text) as Json);
    const served = defect.card === undefined ? card : defect.card(card, origin);
    const kept = ["etag", "cache-control", "content-type"].map(
      (name) => [name, found.headers.get(name) ?? ""] as const,
    );
    response
      .writeHead(served === undefined ? 404 : 200, {
        ...Object.fromEntries(kept),
        ...defect.cardHeaders,
      })
      .end(JSON.stringify(served));
  }

  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The card with JSON-RPC 1.0 alone, so that a test calls one interface. */
function oneInterface(card: Json): Json {
  const interfaces = card["supportedInterfaces"] as readonly Json[];
  const {
    url: _,
    additionalInterfaces: __,
    preferredTransport: ___,
    protocolVersion: ____,
    ...rest
  } = card;
  return { ...rest, supportedInterfaces: interfaces.slice(0, 1) };
}

function readRpc(body: Buffer): Pick<FrontRequest, "rpc" | "id"> {
  try {
    const { method, id } = JSON.parse(body.toString()) as Json;
    return typeof method === "string" ? { rpc: method, id } : {};
  } catch {
    return {};
  }
}

function passedHeaders(headers: IncomingMessage["headers"]): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (
      !/^(?:host|connection|content-length|transfer-encoding|origin|expect|keep-alive)$/.test(name)
    ) {
      passed.set(name, String(value));
    }
  }
  return passed;
}

async function pass(from: Response, to: ServerResponse, streams: Defect["streams"]): Promise<void> {
  const headers: Record<string, string> = {};
  for (const [name, value] of from.headers) {
    if (
      !/^(?:connection|content-length|transfer-encoding|content-encoding|keep-alive)$/.test(name)
    ) {
      headers[name] = value;
    }
  }
  const isStream = from.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || streams === "hold") {
    const whole = new Uint8Array(await from.arrayBuffer());
    to.writeHead(from.status, headers).end(whole);
    return;
  }
  const compress = streams === "compress";
  to.writeHead(from.status, { ...headers, ...(compress && { "content-encoding": "gzip" }) });
  to.flushHeaders();
  if (from.body === null) return void to.end();
  const source = Readable.fromWeb(from.body as never);
  to.on("close", () => source.destroy());
  source.on("error", () => to.destroy());
  if (compress) {
    source.pipe(createGzip()).pipe(to);
    return;
  }
  if (typeof streams === "object") {
    let timer = setTimeout(() => to.destroy(), streams.idleMs);
    source.on("data", () => {
      clearTimeout(timer);
      timer = setTimeout(() => to.destroy(), streams.idleMs);
    });
    to.on("close", () => clearTimeout(timer));
  }
  source.pipe(to);
}
