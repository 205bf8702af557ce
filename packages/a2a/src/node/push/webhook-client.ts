import { Agent, request as requestPlain } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { Agent as TlsAgent, request as requestSecure } from "node:https";
import type { SecureContextOptions } from "node:tls";
import { hostOf, portOf } from "./webhook-guard.js";
import type { WebhookGuard } from "./webhook-guard.js";

export interface ConnectionOptions {
  /** Connections to one receiver at a time; 8 when absent. */
  readonly maxConnectionsPerHost?: number;
  /** Connections that are kept for what comes next; 256 when absent. */
  readonly maxIdleConnections?: number;
  /** Authorities to trust beside none of the usual, and a certificate for receivers that want one. */
  readonly tls?: SecureContextOptions;
}

interface WebhookRequest {
  readonly method: "GET" | "POST";
  /** As the guard has returned it. */
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
  /** How much of the answer's body is wanted; none when absent. */
  readonly maxAnswerBytes?: number;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As far as it was wanted. */
  readonly body: Uint8Array;
}

/** Calls webhooks over connections that are kept. Follows no redirects. */
export interface WebhookClient {
  /** Resolves when the head of the answer, and what is wanted of its body, is there. */
  call(request: WebhookRequest): Promise<WebhookAnswer>;
  close(): void;
}

/** How long connections wait for the next notification. */
const idleMs = 30_000;

/** What is read of an unwanted body, so that its connection can be kept; beyond it is closed. */
const maxUnwantedBytes = 16 * 1024;
const maxUnwantedMs = 1000;

export function openWebhookClient(
  { lookup }: WebhookGuard,
  { maxConnectionsPerHost = 8, maxIdleConnections = 256, tls = {} }: ConnectionOptions,
): WebhookClient {
  const settings = {
    keepAlive: true,
    maxSockets: maxConnectionsPerHost,
    maxFreeSockets: maxConnectionsPerHost,
    timeout: idleMs,
    lookup,
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
        // A kept connection that its other end was about to close says nothing about the receiver.
        const isStale = outgoing.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(error.code ?? "");
        if (isStale) open(request).then(resolve, reject);
        else reject(error);
      });
      outgoing.end(body);
    });
  }

  return {
    async call(request) {
      const answer = await open(request);
      const { statusCode: status = 0, headers } = answer;
      const { maxAnswerBytes = 0 } = request;
      if (maxAnswerBytes > 0) {
        return { status, headers, body: await readUpTo(answer, maxAnswerBytes) };
      }
      discard(answer);
      return { status, headers, body: new Uint8Array() };
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

/**
 * Keeps only so many connections. Node's own limit counts those in use as well, and lets a request to one
 * receiver wait until connections kept for others are too old.
 */
function limitIdle<T extends Agent>(agent: T, maxIdle: number): T {
  const keep = agent.keepSocketAlive.bind(agent);
  const countIdle = (): number =>
    Object.values(agent.freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0);
  agent.keepSocketAlive = (socket) => countIdle() < maxIdle && keep(socket);
  return agent;
}

/** Frees the connection for the next request, if the body is short and comes soon. */
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
