import { createServer } from "node:http";
import type { RequestListener, Server, ServerOptions, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerOptions as TlsOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { NodeListener } from "./create-node-listener.js";
import { isLoopback } from "./exposure.js";

/** How long callers may take; answers take as long as they do, and work is never cut short. */
export interface Timeouts {
  /** For the head of a request to arrive; 30 s when absent. */
  readonly headersMs?: number;
  /** For the whole of a request to arrive; 60 s when absent. */
  readonly requestMs?: number;
  /** For the next request on a connection; 65 s when absent, which outlasts most load balancers. */
  readonly idleMs?: number;
}

export interface WebServerOptions {
  readonly port: number;
  readonly host: string;
  readonly tls?: TlsOptions;
  readonly timeouts?: Timeouts;
  /** False while what is behind the server cannot answer. */
  readonly isReady: () => Promise<boolean>;
  /** How long answers under way may take to leave when the server stops. */
  readonly drainMs: number;
}

/** A socket that is listened on. */
export interface WebServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const maxUrlLength = 8 * 1024;

/** Listens for requests; answers `/healthz` and `/readyz` itself. */
export async function openWebServer(
  listener: NodeListener,
  { port, host, tls, drainMs, timeouts = {}, isReady }: WebServerOptions,
): Promise<WebServer> {
  let isStopping = false;
  const settings = settingsOf(timeouts);
  // A browser would hold it against every other server on this machine, too.
  const isPublicTls = tls !== undefined && !isLoopback(host);
  const handle: RequestListener = (request, response) => {
    if (isPublicTls) response.setHeader("Strict-Transport-Security", "max-age=31536000");
    const { url = "" } = request;
    if (isAt("/healthz", url)) answer(response, 200, "ok");
    else if (isAt("/readyz", url)) void answerReadiness(response);
    else if (url.length > maxUrlLength) answer(response, 414, "The URL is too long.");
    else listener(request, response);
  };
  const answerReadiness = async (response: ServerResponse): Promise<void> => {
    if (isStopping) return answer(response, 503, "stopping");
    if (await isReady()) return answer(response, 200, "ready");
    answer(response, 503, "the store does not answer");
  };
  const server =
    tls === undefined
      ? createServer(settings, handle)
      : createTlsServer(
          { minVersion: "TLSv1.2", ...settings, ...tls, insecureHTTPParser: false },
          handle,
        );
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await listen(server, port, host);
  const bound = (server.address() as AddressInfo).port;
  const scheme = tls === undefined ? "http" : "https";
  return {
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    async close() {
      isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      void listener.drain();
      // Connections fall idle one by one, as their last answers leave.
      const sweep = setInterval(() => server.closeIdleConnections(), 10);
      // Not `closeAllConnections`, which knows of none that have not shaken hands.
      const force = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

/** Whatever the query; those who probe may add one to pass by caches. */
function isAt(path: string, url: string): boolean {
  return url.startsWith(path) && (url.length === path.length || url[path.length] === "?");
}

function answer(response: ServerResponse, status: number, text: string): void {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  response.writeHead(status, headers).end(`${text}\n`);
}

function settingsOf({
  headersMs = 30_000,
  requestMs = 60_000,
  idleMs = 65_000,
}: Timeouts): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    // Of all headers together, the first line included; beyond it node answers 431.
    maxHeaderSize: 16 * 1024,
    // What separates requests is never guessed at, whatever flags node was started with.
    insecureHTTPParser: false,
    // Node looks for late requests every 30 s, however short their time is.
    connectionsCheckingInterval: Math.min(headersMs, requestMs, 30_000),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
