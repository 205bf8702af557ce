import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A way to a server that can be cut. */
export interface CuttingProxy extends AsyncDisposable {
  /** Where the proxy is, such as `127.0.0.1:4000`. */
  readonly address: string;
  /** Where connections go from now on: an address, or the URL of a server. */
  leadTo(target: string): void;
  /** Resets every connection that is open. New ones pass. */
  cut(): void;
}

export async function openCuttingProxy(): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let target = { hostname: "127.0.0.1", port: 0 };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = connect(target.port, target.hostname);
    keep(client);
    keep(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(to) {
      const { hostname, port } = new URL(to.includes("://") ? to : `http://${to}`);
      target = { hostname, port: Number(port) };
    },
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
