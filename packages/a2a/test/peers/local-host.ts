import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { within } from "./child.js";

/** A webhook call that came in. */
export interface Notification {
  readonly token: string | undefined;
  readonly body: string;
}

/** A gate at which an agent waits for as long as it takes to look at it. */
export interface Gate {
  readonly url: string;
  open(): void;
}

/** A web server of the runner on this machine: gates for agents, webhooks for push notifications. */
export interface LocalHost extends AsyncDisposable {
  readonly url: string;
  gate(): Gate;
  webhook(): {
    readonly url: string;
    until(holds: (all: readonly Notification[]) => boolean): Promise<void>;
    readonly received: readonly Notification[];
  };
}

export async function openLocalHost(): Promise<LocalHost> {
  const paths = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const server = createServer((request, response) => {
    const serve = paths.get(request.url ?? "");
    if (serve === undefined) response.writeHead(404).end();
    else serve(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    gate() {
      const path = `/gates/${paths.size}`;
      const waiting: ServerResponse[] = [];
      let isOpen = false;
      paths.set(path, (_, response) => {
        if (isOpen) response.end("open");
        else waiting.push(response);
      });
      return {
        url: url + path,
        open() {
          isOpen = true;
          for (const response of waiting.splice(0)) response.end("open");
        },
      };
    },
    webhook() {
      const path = `/hooks/${paths.size}`;
      const received: Notification[] = [];
      let wake = (): void => {};
      paths.set(path, (request, response) => {
        void text(request).then((body) => {
          const { headers } = request;
          // The specification has no name for it since 1.0.1: Go leaves out the X.
          const token = headers["x-a2a-notification-token"] ?? headers["a2a-notification-token"];
          received.push({ token: typeof token === "string" ? token : undefined, body });
          response.writeHead(200).end();
          wake();
          return undefined;
        });
      });
      const until = async (holds: (all: readonly Notification[]) => boolean): Promise<void> => {
        while (!holds(received)) await new Promise<void>((resolve) => (wake = resolve));
      };
      return {
        url: url + path,
        received,
        until: async (holds) => within(10_000, "a push notification", until(holds)),
      };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
