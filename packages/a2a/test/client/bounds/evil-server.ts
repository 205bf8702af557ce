import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip } from "node:zlib";

/** What an agent sends that means harm: a beginning, and a piece that comes again and again until the caller leaves. */
export interface Flood {
  readonly status?: number;
  readonly type?: string;
  readonly start?: string;
  /** The answer ends with its beginning where it is absent. */
  readonly again?: string;
  /** Compressed, so that few bytes on the wire are many in memory. */
  readonly isGzip?: boolean;
}

export interface EvilServer extends AsyncDisposable {
  readonly url: string;
  /** How many requests came. */
  readonly requests: number;
  /** How many answers are under way: none, once the caller has closed its connections. */
  readonly open: number;
}

/** Opens a server that answers every request with the same flood, or as the function says. */
export async function openEvil(
  answer: Flood | ((request: IncomingMessage, response: ServerResponse, body: string) => void),
): Promise<EvilServer> {
  let requests = 0;
  let open = 0;
  const server = createServer((request, response) => {
    requests += 1;
    open += 1;
    response.once("close", () => (open -= 1));
    response.on("error", () => undefined);
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => (body += text));
    request.once("end", () => {
      if (typeof answer === "function") answer(request, response, body);
      else void flood(response, answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    get open() {
      return open;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What a flood comes to at most, so that a victim without defence does not take the whole machine. */
const maxFloodBytes = 512 * 1024 * 1024;

/** Writes for as long as somebody reads. */
async function flood(
  response: ServerResponse,
  { status = 200, type = "application/json", start = "", again, isGzip = false }: Flood,
): Promise<void> {
  const zipped = isGzip ? createGzip() : undefined;
  response.writeHead(status, {
    "Content-Type": type,
    ...(zipped && { "Content-Encoding": "gzip" }),
  });
  zipped?.pipe(response);
  const target = zipped ?? response;
  target.on("error", () => undefined);
  target.write(start);
  if (again === undefined) return void target.end();
  let wake: () => void = () => undefined;
  target.on("drain", () => wake());
  response.once("close", () => wake());
  for (let sent = 0; sent < maxFloodBytes && !response.destroyed; sent += again.length) {
    const isWanted = target.write(again);
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (isWanted) setImmediate(resolve);
    });
  }
  target.end();
}
