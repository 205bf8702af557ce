import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerOptions as TlsOptions } from "node:https";
import type { AddressInfo } from "node:net";
import type { NodeListener } from "./create-node-listener.js";

export interface WebServerOptions {
  readonly port: number;
  readonly host: string;
  readonly tls?: TlsOptions;
  /** How long answers under way may take to leave when the server stops. */
  readonly drainMs: number;
}

/** A socket that is listened on. */
export interface WebServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** How long a request may take to arrive and a connection may idle. Answers take as long as they do. */
const limits = { keepAliveTimeout: 65_000, headersTimeout: 30_000, requestTimeout: 60_000 };

/** Listens for requests; answers `/healthz` and `/readyz` itself. */
export async function openWebServer(
  listener: NodeListener,
  { port, host, tls, drainMs }: WebServerOptions,
): Promise<WebServer> {
  let isReady = true;
  const server = createWebServer(tls, (request, response) => {
    if (request.url === "/healthz") answer(response, 200, "ok");
    else if (request.url === "/readyz") answer(response, ...readiness(isReady));
    else listener(request, response);
  });
  await listen(server, port, host);
  const bound = (server.address() as AddressInfo).port;
  const scheme = tls === undefined ? "http" : "https";
  return {
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    async close() {
      isReady = false;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      void listener.drain();
      // Connections fall idle one by one, as their last answers leave.
      const sweep = setInterval(() => server.closeIdleConnections(), 10);
      const force = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

function readiness(isReady: boolean): [status: number, text: string] {
  return isReady ? [200, "ready"] : [503, "stopping"];
}

function answer(response: ServerResponse, status: number, text: string): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  response.writeHead(status, headers).end(`${text}\n`);
}

function createWebServer(
  tls: TlsOptions | undefined,
  listener: Parameters<typeof createServer>[1] & {},
): Server {
  return tls === undefined
    ? createServer(limits, listener)
    : createTlsServer({ ...limits, ...tls }, listener);
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
