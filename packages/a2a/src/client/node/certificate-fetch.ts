import { Agent, request } from "node:https";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { SecureContextOptions } from "node:tls";
import { A2AError } from "../../protocol/internal.js";
import type { Fetch } from "../../http/internal.js";

export interface CertificateFetchOptions extends Pick<
  SecureContextOptions,
  "cert" | "key" | "passphrase" | "pfx" | "ca"
> {
  /** The only origin to which the certificate is presented. */
  readonly origin: string;
  /** Used for every other origin; the platform's own when absent. */
  readonly fetch?: Fetch;
}

/** A fetch with its own connections, which `close` ends. */
export interface CertificateFetch extends Fetch, Disposable {
  close(): void;
}

/**
 * A fetch that presents a client certificate to one origin (mutual TLS). It follows no redirects and has no
 * timeout.
 *
 * @example
 * using fetch = certificateFetch({ origin: "https://agent.example", cert, key });
 * const agent = await connect("https://agent.example", { fetch });
 */
export function certificateFetch(options: CertificateFetchOptions): CertificateFetch {
  const { fetch = (url, init) => globalThis.fetch(url, init), ...certificate } = options;
  const { origin, protocol } = new URL(options.origin);
  if (protocol !== "https:") {
    throw new A2AError("INVALID_PARAMS", `${options.origin} is not an https origin`);
  }
  const agent = new Agent({ ...certificate, keepAlive: true });
  const close = (): void => agent.destroy();
  const present: Fetch = (url, init) =>
    new URL(url).origin === origin ? send(agent, url, init) : fetch(url, init);
  return Object.assign(present, { close, [Symbol.dispose]: close });
}

async function send(agent: Agent, url: string, init: RequestInit): Promise<Response> {
  const { method, headers, body, signal } = new Request(url, init);
  // The transports send whole bodies, so that the length is known.
  const bytes = body === null ? undefined : new Uint8Array(await new Response(body).arrayBuffer());
  const length = bytes === undefined ? {} : { "content-length": String(bytes.length) };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const fields = { ...Object.fromEntries(headers), ...length };
    const outgoing = request(url, { agent, method, headers: fields, signal });
    outgoing.once("error", reject);
    outgoing.once("response", resolve);
    outgoing.end(bytes);
  });
  const response = responseOf(incoming, signal);
  return Object.defineProperty(response, "url", { value: url });
}

const emptyStatuses = [101, 204, 205, 304];

function responseOf(incoming: IncomingMessage, signal: AbortSignal): Response {
  const { statusCode: status = 0, statusMessage: statusText = "" } = incoming;
  const headers = new Headers();
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    headers.append(incoming.rawHeaders[index] ?? "", incoming.rawHeaders[index + 1] ?? "");
  }
  if (emptyStatuses.includes(status)) {
    incoming.resume();
    return new Response(null, { status, statusText, headers });
  }
  const stop = (): void => void incoming.destroy(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  incoming.once("close", () => signal.removeEventListener("abort", stop));
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
  return new Response(body, { status, statusText, headers });
}
