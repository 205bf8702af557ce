import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { answerChallenge } from "@parley/a2a/client/push";
import type { Delivered } from "./notification.js";

/** A webhook that is served. */
export interface Webhook extends AsyncDisposable {
  readonly url: string;
}

const maxBodyBytes = 16 * 1024 * 1024;

/** How many connections a webhook may have open. */
const maxConnections = 64;

/** Where a webhook is served. */
export interface WebhookPlace {
  readonly host: string;
  readonly port: number;
  /** `/hook` when absent. */
  readonly path?: string;
}

/** Serves a webhook. `receive` answers with an HTTP status; what is not 2xx is sent again by the agent. */
export async function openWebhook(
  { host, port, path = "/hook" }: WebhookPlace,
  receive: (delivered: Delivered) => Promise<number>,
): Promise<Webhook> {
  const server = createServer((request, response) => {
    answer(request, path, receive).then(
      ({ status, body }) => response.writeHead(status, { "Content-Type": "text/plain" }).end(body),
      () => response.destroy(),
    );
  });
  server.maxConnections = maxConnections;
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Answer {
  readonly status: number;
  readonly body?: string;
}

async function answer(
  request: IncomingMessage,
  path: string,
  receive: (delivered: Delivered) => Promise<number>,
): Promise<Answer> {
  const { method = "GET", url = "/" } = request;
  const { pathname, href } = new URL(url, "http://localhost");
  if (pathname !== path) return { status: 404, body: "there is no webhook here\n" };
  const challenged = answerChallenge(new Request(href, { method }));
  if (challenged !== undefined) return { status: 200, body: await challenged.text() };
  if (method !== "POST") return { status: 405, body: "notifications are posted\n" };
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) return { status: 413 };
    chunks.push(chunk);
  }
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name, String(value)] as const,
  );
  const body = Buffer.concat(chunks).toString("utf8");
  return { status: await receive({ headers: Object.fromEntries(headers), body }) };
}
