import { ownTurn } from "../async/internal.js";
import { isLarge, optionsOf } from "../binding/internal.js";
import { A2AError } from "../protocol/internal.js";
import type { MountableAgent } from "../protocol/internal.js";
import { ArrivingBody, BodyPool } from "./body/body-pool.js";
import { handleHttp } from "./create-http-handler.js";
import type { HttpOptions } from "./http-options.js";
import { httpRules } from "./http-rules.js";
import type { HttpHandler, HttpRequest, HttpResponse, StreamedResponse } from "./http-message.js";

/**
 * Serves an agent, or several that are mounted, in runtimes with `Request` and `Response`: Hono, Bun, Deno,
 * Workers, Next.
 *
 * @example
 * const runtime = await openRuntime({ agent: echo, store });
 * const handle = createFetchHandler(runtime);
 * app.all("*", (context) => handle(context.req.raw));
 */
export function createFetchHandler(
  agentOrOptions: MountableAgent | HttpOptions,
  furtherOptions: Omit<HttpOptions, "mounts"> = {},
): (request: Request) => Promise<Response> {
  const options = optionsOf("createFetchHandler()", httpRules, agentOrOptions, furtherOptions);
  return answerWith(handleHttp(options), new BodyPool(options.maxBodyBytesInFlight));
}

/** A function that passes requests to a handler. */
export function answerWith(
  handle: HttpHandler,
  pool: BodyPool,
): (request: Request) => Promise<Response> {
  return async (request) => {
    // Not every runtime aborts the request when nobody reads the answer any more, so the answer aborts it too.
    const left = new AbortController();
    const signal = AbortSignal.any([request.signal, left.signal]);
    const response = await handle(fromRequest(request, signal, pool));
    return toResponse(response, request.method, () => left.abort());
  };
}

function fromRequest(request: Request, signal: AbortSignal, pool: BodyPool): HttpRequest {
  const { pathname, search, protocol, host } = new URL(request.url);
  return {
    method: request.method,
    target: `${pathname}${search}`,
    header: (name) => request.headers.get(name) ?? (name === "host" ? host : undefined),
    body: (maxBytes) => readBody(request, pool, maxBytes),
    signal,
    connection: { isSecure: protocol === "https:", localHost: host },
  };
}

const readBefore =
  "the body was read before createFetchHandler got the request; read request.clone() instead";

async function readBody(request: Request, pool: BodyPool, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed || request.body?.locked === true) throw new Error(readBefore);
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  const refusals: A2AError[] = [];
  const body = new ArrivingBody({
    pool,
    maxBytes,
    refuse(error) {
      refusals.push(error);
      // Ends the read that waits, too.
      void reader?.cancel().catch(() => undefined);
    },
  });
  try {
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) break;
      body.add(next.value);
    }
  } catch {
    body.leave();
    throw refusals[0] ?? connectionLost();
  }
  // A refused body ends, too.
  for (const refusal of refusals) throw refusal;
  if (isLarge(body.size)) await ownTurn();
  return body.take();
}

function connectionLost(): A2AError {
  return new A2AError(
    "INVALID_REQUEST",
    "the connection was lost before the whole request had arrived",
  );
}

function toResponse(response: HttpResponse, method: string, leave: () => void): Response {
  const { status } = response;
  const headers = new Headers(response.headers);
  if ("stream" in response) return new Response(toReadable(response, leave), { status, headers });
  const hasBody = method !== "HEAD" && status !== 204 && status !== 304;
  return new Response(hasBody ? (response.body ?? null) : null, { status, headers });
}

/** A stream that its reader pulls: no piece is made before the reader wants it. */
function toReadable(
  { stream, heartbeat }: StreamedResponse,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = stream[Symbol.asyncIterator]();
  let beat: ReturnType<typeof setTimeout> | undefined;
  const stopBeating = (): void => clearTimeout(beat);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const keepAlive = ({ text, everyMs }: NonNullable<typeof heartbeat>): void => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text));
        beat = setTimeout(keepAlive, everyMs, heartbeat);
      };
      if (heartbeat !== undefined) beat = setTimeout(keepAlive, heartbeat.everyMs, heartbeat);
      const next = await iterator.next().finally(stopBeating);
      if (next.done === true) controller.close();
      else if (typeof next.value === "string") controller.enqueue(encoder.encode(next.value));
      else controller.enqueue(next.value);
    },
    async cancel() {
      stopBeating();
      leave();
      await iterator.return?.();
    },
  });
}
