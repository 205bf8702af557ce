import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request that a server of a test has received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body, as JSON. The test knows what is in it. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  /** Resolves when the caller has closed the connection before the answer was complete. */
  readonly left: Promise<void>;
}

/** A server that does what a test says. */
export interface ScriptServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Answers every request as the script says. */
export async function openScriptServer(
  script: (response: ServerResponse, received: Received) => unknown,
): Promise<ScriptServer> {
  const received: Received[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const left = new Promise<void>((resolve) => {
      response.once("close", () => {
        if (!response.writableFinished) resolve();
      });
    });
    const { method = "", url: path = "", headers } = request;
    const one = { method, path, headers, body: JSON.parse(await text(request)) as unknown, left };
    received.push(one);
    await script(response, one);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
