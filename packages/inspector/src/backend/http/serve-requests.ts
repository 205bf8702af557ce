import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A server that answers web requests. */
export interface RequestServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface RequestServerOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
}

/** Serves a handler of web requests on a port. Bounds what strangers can make it hold. */
export async function serveRequests(
  handle: (request: Request) => Promise<Response>,
  { host, port, maxConnections }: RequestServerOptions,
): Promise<RequestServer> {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 30_000,
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
    },
    (incoming, outgoing) => void answer(handle, incoming, outgoing),
  );
  server.maxConnections = maxConnections;
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  try {
    const request = requestOf(incoming, gone.signal);
    if (request === undefined) {
      outgoing.writeHead(400, { "Content-Type": "text/plain", Connection: "close" });
      outgoing.end("The request is not one that can be read.\n");
      return;
    }
    const response = await handle(request);
    outgoing.writeHead(response.status, [...response.headers].flat());
    if (response.body === null || incoming.method === "HEAD") {
      await response.body?.cancel();
      outgoing.end();
      return;
    }
    outgoing.flushHeaders();
    await write(response.body, outgoing);
  } catch {
    outgoing.destroy();
  }
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "/", rawHeaders } = incoming;
  const headers = new Headers();
  let host: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    // A request that names two hosts means one to us and another to a proxy.
    if (name === "host" && host !== undefined) return undefined;
    if (name === "host") host = rawHeaders[at + 1] ?? "";
    headers.append(name, rawHeaders[at + 1] ?? "");
  }
  const isPlain = host !== undefined && /^[\w.:[\]-]+$/.test(host) && url.startsWith("/");
  if (!isPlain || !URL.canParse(`http://${host}${url}`)) return undefined;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`http://${host}${url}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: "half" }),
  } as RequestInit);
}

/** The body, read only as fast as it is asked for. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const iterator = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Writes a body as fast as its reader reads. */
async function write(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  outgoing.once("close", () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) break;
    if (!outgoing.write(value)) {
      await new Promise<void>((resolve) => {
        const go = (): void => {
          outgoing.off("drain", go).off("close", go);
          resolve();
        };
        outgoing.once("drain", go).once("close", go);
      });
    }
  }
  outgoing.end();
}
