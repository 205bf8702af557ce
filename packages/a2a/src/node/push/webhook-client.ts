import { Agent, request as requestPlain } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Agent as TlsAgent, request as requestSecure } from "node:https";
import type { LookupFunction } from "node:net";
import type { SecureContextOptions } from "node:tls";
import type { NewReceivers } from "./new-receivers.js";
import { hostOf, portOf } from "./webhook-guard.js";
import type { WebhookGuard } from "./webhook-guard.js";

export interface ConnectionOptions {
  /** Connections to one receiver at a time; 8 when absent. */
  readonly maxConnectionsPerHost?: number;
  /** Idle connections that are kept open for later notifications; 256 when absent. */
  readonly maxIdleConnections?: number;
  /** Authorities to trust instead of the usual ones, and a certificate for receivers that want one. */
  readonly tls?: SecureContextOptions;
}

interface WebhookRequest {
  readonly method: "GET" | "POST";
  /** A URL that the guard has checked. */
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
  /** How much of the answer's body to read; nothing when absent. */
  readonly maxAnswerBytes?: number;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The beginning of the body, as far as the request asked for it. */
  readonly body: Uint8Array;
  /** The receiver has taken part: its host and its address are no longer limited. */
  readonly accept: () => void;
}

/** Calls webhooks over connections that are kept open. Follows no redirects. */
export interface WebhookClient {
  /** Resolves when the headers of the answer, and the requested part of its body, have arrived. */
  call(request: WebhookRequest): Promise<WebhookAnswer>;
  close(): void;
}

/** How long an idle connection is kept open. */
const idleMs = 30_000;

/** How much of an unwanted body is read so that its connection can be kept; a longer one closes it. */
const maxUnwantedBytes = 16 * 1024;
const maxUnwantedMs = 1000;

export function openWebhookClient(
  guard: WebhookGuard,
  receivers: NewReceivers,
  { maxConnectionsPerHost = 8, maxIdleConnections = 256, tls = {} }: ConnectionOptions,
): WebhookClient {
  const settings = {
    keepAlive: true,
    maxSockets: maxConnectionsPerHost,
    maxFreeSockets: maxConnectionsPerHost,
    timeout: idleMs,
    lookup: limitLookup(guard.lookup, receivers),
  };
  const plain = limitIdle(new Agent(settings), maxIdleConnections);
  const secure = limitIdle(new TlsAgent({ ...settings, ...tls }), maxIdleConnections);

  function open(request: WebhookRequest): Promise<IncomingMessage> {
    const { url, method, headers, body, signal } = request;
    const isSecure = url.protocol === "https:";
    return new Promise((resolve, reject) => {
      const outgoing = (isSecure ? requestSecure : requestPlain)({
        agent: isSecure ? secure : plain,
        method,
        host: hostOf(url),
        port: portOf(url),
        path: `${url.pathname}${url.search}`,
        headers: { Host: url.host, ...headers },
        signal,
      });
      outgoing.once("response", resolve);
      outgoing.once("error", (error: NodeJS.ErrnoException) => {
        // The other end was closing the idle connection: that does not mean that the receiver is unreachable.
        const isStale = outgoing.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? "");
        if (isStale) open(request).then(resolve, reject);
        else reject(error);
      });
      outgoing.end(body);
    });
  }

  return {
    async call(request) {
      const host = hostOf(request.url);
      receivers.admit(host);
      const answer = await open(request);
      const { statusCode: status = 0, headers } = answer;
      const { remoteAddress = host } = answer.socket;
      const accept = (): void => {
        receivers.answered(host);
        receivers.answered(remoteAddress);
      };
      const { maxAnswerBytes = 0 } = request;
      if (maxAnswerBytes > 0) {
        return { status, headers, body: await readUpTo(answer, maxAnswerBytes), accept };
      }
      discard(answer);
      return { status, headers, body: new Uint8Array(), accept };
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/** Counts connections by the address that a name stands for. */
function limitLookup(lookup: LookupFunction, receivers: NewReceivers): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const address = typeof found === "string" ? found : found[0]?.address;
      try {
        if (error === null && address !== undefined) receivers.admit(address);
      } catch (tooSoon) {
        callback(tooSoon as Error, "");
        return;
      }
      callback(error, found, family);
    });
}

/**
 * Limits the idle connections. Node's own limit also counts connections in use, and makes a request to one receiver
 * wait until the idle connections to others time out.
 */
function limitIdle<T extends Agent>(agent: T, maxIdle: number): T {
  const keep = agent.keepSocketAlive.bind(agent);
  const countIdle = (): number =>
    Object.values(agent.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
  agent.keepSocketAlive = (socket) => countIdle() < maxIdle && keep(socket);
  return agent;
}

/** Reads a body to free its connection for the next request. Closes the connection if that takes too long. */
function discard(answer: IncomingMessage): void {
  let size = 0;
  const timer = setTimeout(() => answer.destroy(), maxUnwantedMs);
  timer.unref();
  answer.once("close", () => clearTimeout(timer));
  answer.on("error", () => {});
  answer.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > maxUnwantedBytes) answer.destroy();
  });
}

async function readUpTo(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
