import { once } from "node:events";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { request } from "node:https";
import type { IncomingMessage } from "node:http";
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
export async function openGateway(to: () => number, ...protocols: string[]): Promise<Gateway> {
  let heard = "";
  const options = { ...exampleTls, ...(protocols.length > 0 && { ALPNProtocols: protocols }) };
  const server = createServer(options, (outer) => {
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

/** Fetches from a host of example.com that speaks TLS at a port of this machine. */
export function fetchFrom(port: number): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const { host, pathname, search } = new URL(asked.url);
    const body = Buffer.from(await asked.arrayBuffer());
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request({
        port,
        method: asked.method,
        path: `${pathname}${search}`,
        servername: host,
        ca: exampleTls.cert,
        headers: { ...Object.fromEntries(asked.headers), host },
        signal: asked.signal,
        agent: false,
      })
        .once("response", resolve)
        .once("error", reject)
        .end(body);
    });
    const given = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    );
    const text = await buffer(answer);
    const { statusCode: status = 0 } = answer;
    return new Response(text.length === 0 ? null : new Uint8Array(text), {
      status,
      headers: given,
    });
  };
}
