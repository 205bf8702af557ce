import { once } from "node:events";
import { createServer } from "node:http";
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerOptions as TlsOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request that the receiver got. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ReceiverOptions {
  /** 127.0.0.1 when absent. */
  readonly host?: string;
  /** Any free port when absent. */
  readonly port?: number;
  readonly tls?: TlsOptions;
  /** How a request is answered; 204 when absent. */
  readonly answer?: (response: ServerResponse, received: Received) => void;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** How many connections were ever made to it. */
  readonly connections: number;
  /** Resolves when this many requests have arrived. */
  until(count: number): Promise<readonly Received[]>;
  /** Closes the connections that are open; the next request needs a new one. */
  hangUp(): void;
}

/** Opens a webhook on a socket of this machine, and records the requests to it. */
export async function openReceiver({
  host = "127.0.0.1",
  port = 0,
  tls,
  answer = (response) => response.writeHead(204).end(),
}: ReceiverOptions = {}): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  let onReceived = (): void => {};
  const listener: RequestListener = (incoming, response) => {
    void read(incoming).then((one) => {
      received.push(one);
      answer(response, one);
      onReceived();
      return undefined;
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  server.on("connection", () => (connections += 1));
  server.listen(port, host);
  await once(server, "listening");
  const { port: bound } = server.address() as AddressInfo;
  const shownHost = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${tls === undefined ? "http" : "https"}://${shownHost}:${bound}`,
    port: bound,
    received,
    get connections() {
      return connections;
    },
    async until(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => (onReceived = resolve));
      }
      return received;
    },
    hangUp: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function read(incoming: IncomingMessage): Promise<Received> {
  const { method = "", url: path = "", headers } = incoming;
  return { method, path, headers, body: await buffer(incoming) };
}
