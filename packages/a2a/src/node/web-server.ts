import { createServer } from "node:http";
import type { RequestListener, Server, ServerOptions, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerOptions as TlsOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createDeferred } from "../async/internal.js";
import { listenError } from "../options/internal.js";
import type { NodeListener } from "./create-node-listener.js";
import { isLoopback } from "./exposure.js";

/** How long callers may take to send. Answers may take any time: work is never cut short. */
export interface Timeouts {
  /** Until the headers of a request have arrived; 30 s when absent. */
  readonly headersMs?: number;
  /** Until a whole request has arrived; 60 s when absent. */
  readonly requestMs?: number;
  /** Until the next request on a connection begins; 65 s when absent, which outlasts most load balancers. */
  readonly idleMs?: number;
}

export interface WebServerOptions {
  readonly port: number;
  readonly host: string;
  readonly tls?: TlsOptions;
  readonly timeouts?: Timeouts;
  readonly maxConnections?: number;
  /** How long answers under way may take to leave when the server stops. */
  readonly drainMs: number;
}

/** A listening HTTP server. */
export interface WebServer {
  readonly url: string;
  readonly port: number;
  /** Passes requests on, from the first one that has come. */
  start(listener: NodeListener): void;
  /** From now on each answer closes its connection, so that callers and proxies open the next one elsewhere. */
  leave(): void;
  close(): Promise<void>;
}

const maxUrlLength = 8 * 1024;

/** How many requests may wait for the server to start. */
const maxEarly = 1000;

/**
 * Listens for requests. They wait until the server is started. So the port is known to be free before a store is opened
 * and runs begin. When too many wait, further ones are refused.
 */
export async function openWebServer({
  port,
  host,
  tls,
  drainMs,
  timeouts = {},
  maxConnections = 10_000,
}: WebServerOptions): Promise<WebServer> {
  const started = createDeferred<NodeListener>();
  let listener: NodeListener | undefined;
  let early = 0;
  let isLeaving = false;
  const settings = settingsOf(timeouts);
  // Not for loopback: a browser would demand TLS of every other server on this machine, too.
  const isPublicTls = tls !== undefined && !isLoopback(host);
  const handle: RequestListener = (request, response) => {
    if (isLeaving) response.shouldKeepAlive = false;
    if (isPublicTls) response.setHeader("Strict-Transport-Security", "max-age=31536000");
    if ((request.url ?? "").length > maxUrlLength) refuseLongUrl(response);
    else if (listener !== undefined) listener(request, response);
    else if (early >= maxEarly) refuseEarly(response);
    else {
      early += 1;
      response.once("close", () => (early -= 1));
      void started.promise.then((answer) => answer(request, response));
    }
  };
  const server = createWebServer(settings, tls, handle);
  // Beyond this the server closes new connections at once, and those that nobody uses.
  server.maxConnections = maxConnections;
  server.on("drop", () => server.closeIdleConnections());
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await listen(server, port, host).catch((error: unknown) => {
    throw listenError(error, { host, port, portOption: "{ port }" });
  });
  const bound = (server.address() as AddressInfo).port;
  const scheme = tls === undefined ? "http" : "https";
  return {
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    start(given) {
      listener = given;
      started.resolve(given);
    },
    leave() {
      isLeaving = true;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      void listener?.drain();
      // A connection becomes idle when its last answer has left.
      const sweep = setInterval(() => server.closeIdleConnections(), 10);
      // `closeAllConnections` would miss connections whose TLS handshake is not finished.
      const force = setTimeout(
        () => {
          for (const socket of sockets) socket.destroy();
        },
        listener === undefined ? 0 : drainMs,
      );
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

function createWebServer(
  settings: ServerOptions,
  tls: TlsOptions | undefined,
  handle: RequestListener,
): Server {
  if (tls === undefined) return createServer(settings, handle);
  const options = {
    minVersion: "TLSv1.2",
    // Until it is done there is no request that could be late.
    handshakeTimeout: settings.headersTimeout,
    ...settings,
    ...tls,
    insecureHTTPParser: false,
  } as const;
  try {
    return createTlsServer(options, handle);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = "expected the contents of the files in PEM, not their paths";
    throw new Error(`serve(): tls has no usable key and certificate (${reason}); ${advice}`, {
      cause,
    });
  }
}

const textHeaders = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

function refuseLongUrl(response: ServerResponse): void {
  response.writeHead(414, textHeaders).end("The URL is too long.\n");
}

function refuseEarly(response: ServerResponse): void {
  const headers = { ...textHeaders, "Retry-After": "1", Connection: "close" };
  response.writeHead(503, headers).end("The server is starting; try again.\n");
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
    // The limit of all headers together, first line included; node answers 431 beyond it.
    maxHeaderSize: 16 * 1024,
    // Strict parsing, whatever flags node was started with: leniency lets requests be smuggled.
    insecureHTTPParser: false,
    // Node checks for late requests every 30 s by default, which would make the timeouts twice as long.
    connectionsCheckingInterval: Math.ceil(Math.min(headersMs, requestMs, 10_000) / 10),
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
