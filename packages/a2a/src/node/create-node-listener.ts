import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { byTurn } from "../async/internal.js";
import { optionsOf } from "../binding/internal.js";
import { BodyPool, handleHttp, httpRules } from "../http/internal.js";
import type { HttpHandler, HttpHeaders, HttpOptions, WholeResponse } from "../http/internal.js";
import type { MountableAgent, TraceContext, Tracer } from "../protocol/internal.js";
import { Callers } from "./callers.js";
import { NodeRequest } from "./node-request.js";
import { Pipelines } from "./pipelines.js";
import { StreamWriter } from "./stream-writer.js";

/** A listener for node's servers, and for frameworks that pass on node's requests. */
export interface NodeListener extends RequestListener {
  /**
   * Ends every stream and every wait, and from now on each new one at once: callers are told to try again.
   * Resolves when all calls are answered.
   */
  drain(): Promise<void>;
}

/**
 * Serves an agent, or several that are mounted, with node's own HTTP server.
 *
 * @example
 * const runtime = await openRuntime({ agent: echo, store });
 * createServer(createNodeListener(runtime)).listen(4100, "127.0.0.1");
 */
export function createNodeListener(
  agentOrOptions: MountableAgent | HttpOptions,
  furtherOptions: Omit<HttpOptions, "mounts"> = {},
): NodeListener {
  const options = optionsOf("createNodeListener()", httpRules, agentOrOptions, furtherOptions);
  const pool = new BodyPool(options.maxBodyBytesInFlight);
  return listenWith(handleHttp(options), { pool, tracer: options.telemetry?.tracer });
}

/** A listener that passes node's requests to a handler. */
export function listenWith(
  handle: HttpHandler,
  { pool, tracer }: { readonly pool: BodyPool; readonly tracer: Tracer | undefined },
): NodeListener {
  const callers = new Callers();
  let isDraining = false;
  let underWay = 0;
  let onAllAnswered: (() => void) | undefined;

  async function answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    around: TraceContext | null | undefined,
  ): Promise<void> {
    try {
      const request = new NodeRequest(incoming, callers.of(incoming, outgoing), { pool, around });
      const response = await handle(request);
      if (isDraining) outgoing.shouldKeepAlive = false;
      if ("stream" in response) {
        // It ends long after this call, which must not wait for it: a call that waits takes up memory.
        request.forgetBody();
        new StreamWriter(outgoing, response, answered);
        return;
      }
      sendWhole(outgoing, response, request.method);
    } catch {
      outgoing.destroy();
    }
    answered();
  }

  function answered(): void {
    underWay -= 1;
    if (underWay === 0) onAllAnswered?.();
  }

  const pipelines = new Pipelines();
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!pipelines.admit(incoming, outgoing)) return;
    if (hasTwoHosts(incoming)) {
      refuseTwoHosts(outgoing);
      return;
    }
    underWay += 1;
    const around = tracer && (tracer.active() ?? null);
    byTurn(() => void answer(incoming, outgoing, around));
  };
  return Object.assign(listener, {
    async drain() {
      isDraining = true;
      callers.sendAway();
      if (underWay > 0) await new Promise<void>((resolve) => (onAllAnswered = resolve));
    },
  });
}

/** Whether a request names its host twice. Node takes the first; a proxy in front may have taken the second. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}

function refuseTwoHosts(outgoing: ServerResponse): void {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
  };
  outgoing.writeHead(400, headers).end("The request has two Host headers; send one.\n");
}

/** Writes an answer that is there as a whole. */
function sendWhole(
  outgoing: ServerResponse,
  { status, headers, body = "" }: WholeResponse,
  method: string,
): void {
  const length = Buffer.byteLength(body);
  const hasLength = status !== 204 && status !== 304;
  outgoing.writeHead(status, hasLength ? headerList(headers, length) : headers);
  // Text of ASCII alone has the same bytes in both, and needs no conversion as Latin-1.
  const encoding = length === body.length ? "latin1" : "utf8";
  if (method === "HEAD" || body === "") outgoing.end();
  else outgoing.end(body, encoding);
}

/** Headers in the form that costs node the least work: one list of names and values. */
function headerList(headers: HttpHeaders, length: number): string[] {
  const list: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  list.push("Content-Length", String(length));
  return list;
}
