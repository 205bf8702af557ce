import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { readTls } from "../support/files/tls.js";

/** The certificate of every host of example.com. */
export const exampleTls = { key: readTls("example-key"), cert: readTls("example-cert") };

export interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** What went through it to the server, as text. */
  heard(): string;
}

/** Opens a port where a host of example.com speaks TLS, in front of a server that does not. */
export async function openGateway(to: () => number): Promise<Gateway> {
  let heard = "";
  const server = createServer(exampleTls, (outer) => {
    const inner = connect(to(), "127.0.0.1");
    outer.on("data", (bytes: Buffer) => (heard += bytes.toString()));
    outer.pipe(inner).pipe(outer);
    outer.on("error", () => inner.destroy());
    inner.on("error", () => outer.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    heard: () => heard,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
