import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A TCP proxy that a test takes away and gives back. */
export interface CutProxy extends AsyncDisposable {
  readonly port: number;
  /** How many connections are open. */
  readonly open: number;
  /** The given URL, through the proxy. */
  through(url: string): string;
  /** Nothing passes any more, in either direction: connections stay open and silent, new ones too. */
  stall(): void;
  /** Only answers are held back: what callers send arrives, and its answer is lost if `reset` follows. */
  stallAnswers(): void;
  /** Everything passes this much later. */
  delay(ms: number): void;
  /** Resets all connections. New ones are accepted. */
  reset(): void;
  /** Resets all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Ends `stall`, `delay` and `cut`. What was held back goes on its way. */
  resume(): Promise<void>;
}

type Direction = "request" | "answer";

/** Opens a proxy before a server on the loopback interface. */
export async function openCutProxy(target: number | string): Promise<CutProxy> {
  const targetPort = typeof target === "number" ? target : Number(new URL(target).port);
  const clients = new Set<Socket>();
  const stalled = new Set<Direction>();
  const held: (() => void)[] = [];
  let delayMs = 0;

  const pass = (direction: Direction, from: Socket, to: Socket): void => {
    let turn = Promise.resolve();
    const enqueue = (action: () => void): void => {
      const isHeld = stalled.has(direction);
      const due = delayMs;
      turn = turn.then(async () => {
        if (isHeld || stalled.has(direction)) await new Promise<void>((go) => held.push(go));
        if (due > 0) await new Promise((go) => setTimeout(go, due));
        if (!to.destroyed) action();
      });
    };
    from.on("data", (data) => enqueue(() => to.write(data)));
    from.on("end", () => enqueue(() => to.end()));
  };

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: targetPort, host: "127.0.0.1", allowHalfOpen: true });
    clients.add(client);
    for (const socket of [client, upstream]) socket.setNoDelay(true);
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.resetAndDestroy());
    client.on("close", () => {
      clients.delete(client);
      upstream.destroy();
    });
    pass("request", client, upstream);
    pass("answer", upstream, client);
  });
  const listen = async (on: number): Promise<void> => {
    server.listen(on, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const reset = (): void => {
    for (const client of clients) client.resetAndDestroy();
  };
  const cut = async (): Promise<void> => {
    const closed = server.listening ? once(server, "close") : undefined;
    if (closed) server.close();
    reset();
    await closed;
  };
  return {
    port,
    get open() {
      return clients.size;
    },
    through(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${port}`;
      return changed.href;
    },
    stall() {
      stalled.add("request").add("answer");
    },
    stallAnswers() {
      stalled.add("answer");
    },
    delay(ms) {
      delayMs = ms;
    },
    reset,
    cut,
    async resume() {
      stalled.clear();
      delayMs = 0;
      for (const go of held.splice(0)) go();
      if (!server.listening) await listen(port);
    },
    [Symbol.asyncDispose]: cut,
  };
}
