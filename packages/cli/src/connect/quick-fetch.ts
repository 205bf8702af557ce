import { request } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Fetch } from "@parley/a2a/client";

/**
 * A fetch over `node:http`, for a program that makes a few calls and ends: node's own takes longer to load than all the rest of a
 * command. It sends texts and follows no redirects; whatever needs more goes through node's own.
 */
export const quickFetch: Fetch = async (url, init) => {
  const { body = null, redirect = "follow" } = init;
  if (body !== null && typeof body !== "string") return globalThis.fetch(url, init);
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const incoming = await send(url, init, body).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new TypeError("fetch failed", { cause });
  });
  if (redirect !== "manual" && isRedirect(incoming)) {
    incoming.destroy();
    return globalThis.fetch(url, init);
  }
  return Object.defineProperty(responseOf(incoming, signal), "url", { value: url });
};

async function send(url: string, init: RequestInit, body: string | null): Promise<IncomingMessage> {
  const { method = "GET", signal } = init;
  const headers: OutgoingHttpHeaders = Object.fromEntries(new Headers(init.headers));
  if (body !== null) headers["content-length"] = Buffer.byteLength(body);
  const open = url.startsWith("https:") ? (await import("node:https")).request : request;
  return new Promise((resolve, reject) => {
    const outgoing = open(url, { method, headers, ...(signal && { signal }) });
    outgoing.once("error", reject).once("response", resolve);
    outgoing.end(body ?? undefined);
  });
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
}

const emptyStatuses = [101, 204, 205, 304];

function responseOf(incoming: IncomingMessage, signal: AbortSignal | undefined): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  if (emptyStatuses.includes(status)) {
    incoming.resume();
    return new Response(null, { status, statusText, headers });
  }
  const stop = (): void => void incoming.destroy(signal?.reason as Error);
  signal?.addEventListener("abort", stop, { once: true });
  incoming.once("close", () => signal?.removeEventListener("abort", stop));
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Response(body, { status, statusText, headers });
}
