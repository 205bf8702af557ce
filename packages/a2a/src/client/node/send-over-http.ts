import { request } from "node:http";
import type { Agent, IncomingMessage } from "node:http";
import type { HeaderFields } from "../../http/internal.js";
import { incomingResponse } from "./incoming-response.js";

/** Sends one request over `node:http` or `node:https`. Follows no redirects and has no timeout. */
export async function sendOverHttp(
  url: string,
  init: RequestInit,
  agent?: Agent,
): Promise<Response> {
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const { method, headers, body } = await requestOf(url, init);
  const open = url.startsWith("https:") ? (await import("node:https")).request : request;
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = open(url, {
      method,
      headers,
      ...(agent && { agent }),
      ...(signal && { signal }),
    });
    outgoing.once("error", reject).once("response", resolve);
    outgoing.end(body);
  });
  return incomingResponse(incoming, url, signal);
}

interface WholeRequest {
  readonly method: string;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array | undefined;
}

/** The request with the length of its body. What the client does not send itself is read by node's `Request`. */
async function requestOf(url: string, init: RequestInit): Promise<WholeRequest> {
  const { method = "GET", headers = {}, body = null } = init;
  if (isPlain(headers)) {
    if (body === null) return { method, headers, body: undefined };
    if (typeof body === "string" && "content-type" in headers) {
      const length = { "content-length": String(Buffer.byteLength(body)) };
      return { method, headers: { ...headers, ...length }, body };
    }
  }
  const request = new Request(url, init);
  const bytes = body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  const length = bytes === undefined ? {} : { "content-length": String(bytes.length) };
  const fields = { ...Object.fromEntries(request.headers), ...length };
  return { method: request.method, headers: fields, body: bytes };
}

function isPlain(headers: HeadersInit): headers is HeaderFields {
  return Object.getPrototypeOf(headers) === Object.prototype;
}
