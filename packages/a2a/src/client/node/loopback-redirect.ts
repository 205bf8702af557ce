import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { CodeReceiver } from "../oauth/code-receiver.js";
import { openBrowser } from "./open-browser.js";

export interface LoopbackRedirectOptions {
  /** Shows the page to the user; opens the user's browser when absent. */
  readonly open?: (url: URL) => void | Promise<void>;
  /** Any free port when absent. Authorization servers should allow any port (RFC 8252, 7.3). */
  readonly port?: number;
  readonly host?: "127.0.0.1" | "::1";
  /** `/callback` when absent. */
  readonly path?: string;
}

/** Receives the user of a program on this machine, by a server that runs until the browser has come back. */
export function loopbackRedirect({
  open = openBrowser,
  port = 0,
  host = "127.0.0.1",
  path = "/callback",
}: LoopbackRedirectOptions = {}): CodeReceiver {
  return async (signal) => {
    signal.throwIfAborted();
    const server = createServer();
    await listen(server, port, host);
    const { port: bound } = server.address() as AddressInfo;
    const redirectUri = `http://${host === "::1" ? "[::1]" : host}:${bound}${path}`;
    return {
      redirectUri,
      async receive(authorizationUrl, { state }) {
        const returned = waitForReturn(server, redirectUri, state);
        const aborted = new Promise<never>((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        });
        await Promise.race([open(authorizationUrl), aborted]);
        return Promise.race([returned, aborted]);
      },
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        }),
    };
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
}

/**
 * Waits for the request with the right path and state. Answers any other request with 404 and goes on
 * waiting.
 */
function waitForReturn(server: Server, redirectUri: string, state: string): Promise<string> {
  return new Promise((resolve) => {
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(redirectUri);
      const [path, query = ""] = request.url?.split(/\?(.*)/s) ?? [];
      url.search = query;
      const isReturn =
        request.method === "GET" &&
        path === url.pathname &&
        url.searchParams.get("state") === state;
      const text = isReturn ? "You may close this window." : "This sign-in is not expected here.";
      response.writeHead(isReturn ? 200 : 404, {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",
        Connection: "close",
      });
      response.end(text, () => {
        if (isReturn) resolve(url.href);
      });
    });
  });
}
