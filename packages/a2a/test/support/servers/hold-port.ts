import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";

export interface HeldPort extends AsyncDisposable {
  readonly port: number;
}

/**
 * Occupies a port without listening on it, so that connections to it are refused and no other process takes it.
 * A test may listen there itself while the port is held.
 */
export async function holdPort(port = 0): Promise<HeldPort> {
  const host = "127.0.0.1";
  const server = createServer().listen(0, host);
  await once(server, "listening");
  // The local port of an open connection is taken, though nobody listens on it.
  const { port: far } = server.address() as AddressInfo;
  const held = connect({ port: far, host, localPort: port, localAddress: host });
  const [[other]] = await Promise.all([once(server, "connection"), once(held, "connect")]);
  return {
    port: held.localPort ?? port,
    async [Symbol.asyncDispose]() {
      held.destroy();
      other.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
