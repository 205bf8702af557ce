import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";

export interface HeldPort extends AsyncDisposable {
  readonly port: number;
}

/**
 * Keeps a port, any when none is given, on which nobody listens from everybody else: whoever calls there is
 * refused. Who listens there again does so before it is given up.
 */
export async function holdPort(port = 0): Promise<HeldPort> {
  const host = "127.0.0.1";
  const server = createServer().listen(0, host);
  await once(server, "listening");
  // A port at the near end of a connection is taken, and not listened on.
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
