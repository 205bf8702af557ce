import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { listenError } from "../../options/internal.js";
import { contentTypes, expose } from "./exposition.js";
import type { MetricsOptions } from "./metrics-options.js";
import type { Registry } from "./registry.js";

/** Serves `/metrics` at a port of its own. */
export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** How many connections scrapers may have; further ones are closed at once. */
const maxConnections = 16;

/** How long a scraper may take, and how soon the values may be written again. */
const limits = { requestMs: 5000, freshMs: 100 };

/** Opens a server that answers `GET /metrics`, and nothing else. */
export async function openMetricsServer(
  registry: Registry,
  { port = 9464, host = "127.0.0.1" }: MetricsOptions,
): Promise<MetricsServer> {
  const written = new Map<string, { readonly at: number; readonly text: string }>();
  const read = (format: keyof typeof contentTypes): string => {
    const kept = written.get(format);
    const at = performance.now();
    // However often somebody asks, the values are written ten times a second at most.
    if (kept !== undefined && at - kept.at < limits.freshMs) return kept.text;
    const text = expose(registry, format);
    written.set(format, { at, text });
    return text;
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { method = "", url = "", headers } = request;
    const [path] = url.split("?", 1);
    const isRead = method === "GET" || method === "HEAD";
    if (path !== "/metrics") return refuse(response, 404, "There is only /metrics here.");
    if (!isRead) return refuse(response, 405, "Metrics are read with GET.");
    const isOpen = /application\/openmetrics-text/u.test(headers.accept ?? "");
    const format = isOpen ? "openmetrics" : "text";
    response.writeHead(200, { "Content-Type": contentTypes[format], "Cache-Control": "no-store" });
    response.end(method === "HEAD" ? undefined : read(format));
  };
  const settings = {
    maxHeaderSize: 8 * 1024,
    headersTimeout: limits.requestMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.requestMs / 5,
    insecureHTTPParser: false,
  };
  const server = createServer(settings, answer);
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  }).catch((error: unknown) => {
    throw listenError(error, { host, port, portOption: "{ metrics: { port } }" });
  });
  // Nobody waits for the answers of a process that has nothing else to do.
  server.unref();
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}/metrics`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse, status: number, text: string): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", Connection: "close" };
  response.writeHead(status, headers).end(`${text}\n`);
}
