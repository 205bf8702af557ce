import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";

/** What happens to one connection on its way to the server. */
export type Fate =
  /** Everything is passed on. */
  | { readonly kind: "pass" }
  /** After so many bytes of the answer, or the event in it that says something, the connection ends. */
  | { readonly kind: Ending; readonly afterBytes: number }
  | { readonly kind: Ending; readonly afterEvent: string }
  /** Each piece of the answer comes later, and in pieces of its own. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** A web server answers that it cannot reach the agent. */
  | { readonly kind: "bad-gateway"; readonly retryAfter?: number };

/** It is reset; closed as if that were all; or stays open, and nothing more comes. */
type Ending = "cut" | "half-close" | "hang";

export interface ChaosProxy extends AsyncDisposable {
  readonly url: string;
  /** How many connections there have been. */
  readonly connections: number;
  /** The bytes of each connection's answer that were passed on. */
  readonly answered: readonly number[];
  /** How many connections are open. */
  readonly open: number;
  /** Takes no connections for a while. */
  close(): Promise<void>;
  reopen(): Promise<void>;
}

const page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

/** A proxy before a server. The n-th connection meets the n-th fate; those beyond pass. */
export async function openChaosProxy(
  target: string,
  fates: readonly Fate[] = [],
): Promise<ChaosProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const answered: number[] = [];
  let connections = 0;
  const server = createServer((client) => {
    const index = connections;
    connections += 1;
    sockets.add(client);
    client.on("close", () => sockets.delete(client));
    client.on("error", () => undefined);
    const count = (bytes: number): void => {
      answered[index] = (answered[index] ?? 0) + bytes;
    };
    meet(fates[index] ?? { kind: "pass" }, client, { hostname, port: Number(port), count });
  });
  const listen = async (on: number): Promise<void> => {
    server.listen(on, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const bound = (server.address() as AddressInfo).port;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  return {
    url: `http://127.0.0.1:${bound}`,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    answered,
    close,
    reopen: () => listen(bound),
    [Symbol.asyncDispose]: close,
  };
}

interface Upstream {
  readonly hostname: string;
  readonly port: number;
  readonly count: (bytes: number) => void;
}

function meet(fate: Fate, client: Socket, { hostname, port, count }: Upstream): void {
  if (fate.kind === "bad-gateway") {
    client.once("data", () => {
      const retry = fate.retryAfter === undefined ? "" : `Retry-After: ${fate.retryAfter}\r\n`;
      client.end(
        `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\n${retry}` +
          `Content-Length: ${page.length}\r\nConnection: close\r\n\r\n${page}`,
      );
    });
    return;
  }
  const upstream = connect(port, hostname);
  // What is cut off is what has not come yet, and not what the system was holding back.
  for (const socket of [client, upstream]) socket.setNoDelay(true);
  upstream.on("error", () => client.destroy());
  client.on("close", () => upstream.destroy());
  client.pipe(upstream);
  let left = "afterBytes" in fate ? fate.afterBytes : Number.POSITIVE_INFINITY;
  let said = "";
  let late = Promise.resolve();
  const isOver = (): boolean => {
    if (left > 0) return false;
    if (fate.kind === "cut") client.resetAndDestroy();
    if (fate.kind === "half-close") client.end();
    upstream.destroy();
    return true;
  };
  upstream.on("close", () => {
    if (left > 0) void late.then(() => client.end());
  });
  if (isOver()) return;
  upstream.on("data", (data) => {
    if ("afterEvent" in fate && left === Number.POSITIVE_INFINITY) {
      const before = said.length;
      said += data.toString("latin1");
      const end = endOfEvent(said, fate.afterEvent);
      if (end !== undefined) left = end - before;
    }
    const passed = data.subarray(0, left);
    left -= passed.length;
    count(passed.length);
    if (fate.kind === "delay") {
      late = late.then(() => passInPieces(client, passed, fate.delayMs));
      return;
    }
    // What was passed on has to arrive before the connection ends.
    client.write(passed, () => void isOver());
  });
}

function endOfEvent(said: string, text: string): number | undefined {
  const start = said.indexOf(text);
  const end = start < 0 ? start : said.indexOf("\n\n", start);
  return end < 0 ? undefined : end + 2;
}

async function passInPieces(client: Socket, data: Buffer, delayMs: number): Promise<void> {
  await sleep(delayMs);
  for (let start = 0; start < data.length; start += 97) {
    client.write(data.subarray(start, start + 97));
    await immediate();
  }
}
