import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { BackendFailure } from "./backend-agent.js";

/** A POST to a backend. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/**
 * Posts to a backend and resolves to its answer, however long that takes: a model may think for longer than the five minutes that
 * `fetch` waits. Follows no redirects, which could carry the headers to another host.
 */
export function post(url: URL, { headers, body, signal }: Post): Promise<IncomingMessage> {
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const request = open(url, {
      method: "POST",
      signal,
      headers: { ...headers, "Content-Length": bytes.length },
    });
    request.once("response", resolve);
    request.on("error", (cause) => reject(unreachable(url, cause)));
    request.end(bytes);
  });
}

/** The chunks of an answer. One that is cut off fails. */
export async function* chunksOf(answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* answer as AsyncIterable<Buffer>;
  } catch (cause) {
    const message = "the connection was lost before the answer was complete";
    throw new BackendFailure(message, { code: "BACKEND_CUT_OFF", cause });
  }
}

/** The beginning of an answer as text, up to a number of bytes. The rest is not read. */
export async function beginningOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(answer)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes));
}

/** The media type of an answer, without its parameters. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return type.trim().toLowerCase();
}

export function isOk({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function unreachable(url: URL, cause: unknown): BackendFailure {
  // The operator gets the cause. Callers are not told what is in the operator's network.
  const message = `the service behind this agent cannot be reached`;
  const problem = cause instanceof Error ? cause.message : String(cause);
  return new BackendFailure(message, {
    code: "BACKEND_UNREACHABLE",
    cause: new Error(`${url.origin} cannot be reached: ${problem}`, { cause }),
  });
}
