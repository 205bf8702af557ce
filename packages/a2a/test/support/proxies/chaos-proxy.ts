import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";

/** What happens to one connection on its way to the server. */
export type Fate =
  /** The proxy passes everything on. */
  | { readonly kind: "pass" }
  /** The connection ends after this many bytes of the answer, or after the event that contains a text. */
  | { readonly kind: Ending; readonly afterBytes: number }
  | { readonly kind: Ending; readonly afterEvent: string }
  /** Each piece of the answer comes late, and in smaller pieces. */
  | { readonly kind: "delay"; readonly delayMs: number }
  /** The proxy answers 502 with a web page, as one that cannot reach the agent. */
  | { readonly kind: "bad-gateway"; readonly retryAfter?: number };

/** `cut` resets the connection, `half-close` closes it in order, `hang` leaves it open and silent. */
type Ending = "cut" | "half-close" | "hang";

export interface ChaosProxy extends AsyncDisposable {
  readonly url: string;
  /** The bytes of each connection's answer that were passed on. */
  readonly answered: readonly number[];
  /** How many connections have fallen silent. */
  readonly silent: number;
  /** How many connections that carried a request are still open. */
  readonly open: number;
  /** Closes all connections and the port, until `reopen`. */
  close(): Promise<void>;
  reopen(): Promise<void>;
}

const page = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>";

/**
 * Opens a proxy before a server. The n-th connection that carries a request meets the n-th fate; later ones pass.
 * Connections that a client opens ahead and does not use do not count.
 */
export async function openChaosProxy(
  target: string,
  fates: readonly Fate[] = [],
): Promise<ChaosProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const answered: number[] = [];
  const used: Socket[] = [];
  const silent = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on("close", () => sockets.delete(client));
    client.on("error", () => undefined);
    client.once("data", (first) => {
      const index = used.push(client) - 1;
      const count = (bytes: number): void => {
        answered[index] = (answered[index] ?? 0) + bytes;
      };
      const onSilence = (): void => void silent.add(client);
      const target = { hostname, port: Number(port) };
      meet(fates[index] ?? { kind: "pass" }, client, { first, target, count, onSilence });
    });
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
    get silent() {
      return silent.size;
    },
    get open() {
      return used.filter((socket) => !socket.destroyed).length;
    },
    answered,
    close,
    reopen: () => listen(bound),
    [Symbol.asyncDispose]: close,
  };
}

interface Meeting {
  /** What the client has said so far. */
  readonly first: Buffer;
  readonly target: { readonly hostname: string; readonly port: number };
  readonly count: (bytes: number) => void;
  readonly onSilence: () => void;
}

function meet(fate: Fate, client: Socket, { first, target, count, onSilence }: Meeting): void {
  if (fate.kind === "bad-gateway") {
    const retry = fate.retryAfter === undefined ? "" : `Retry-After: ${fate.retryAfter}\r\n`;
    client.end(
      `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\n${retry}` +
        `Content-Length: ${page.length}\r\nConnection: close\r\n\r\n${page}`,
    );
    return;
  }
  const upstream = connect(target.port, target.hostname);
  // Without this the system may hold back bytes that the test counts as passed on.
  for (const socket of [client, upstream]) socket.setNoDelay(true);
  upstream.on("error", () => client.destroy());
  client.on("close", () => upstream.destroy());
  upstream.write(first);
  client.pipe(upstream);
  let left = "afterBytes" in fate ? fate.afterBytes : Number.POSITIVE_INFINITY;
  let said = "";
  let late = Promise.resolve();
  const isOver = (): boolean => {
    if (left > 0) return false;
    if (fate.kind === "cut") client.resetAndDestroy();
    if (fate.kind === "half-close") client.end();
    if (fate.kind === "hang") onSilence();
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
    // A reset must not overtake the bytes that were passed on.
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
