import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readAll } from "node:stream/consumers";

/** A call that the agent has received. */
export interface ReceivedCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  readonly url: string;
}

export interface ScriptedAgent extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
}

export interface Script {
  /** Members of the card besides the required ones. */
  readonly card?: object;
  /** The result of a call; an `error` becomes a JSON-RPC error, `events` a stream, a number an HTTP status. */
  readonly answer: (call: ReceivedCall, count: number) => object | number;
  /** Members of the interface, such as a tenant. */
  readonly at?: object;
}

/** An agent of 1.0 over JSON-RPC that does not stream and answers what a script says. */
export async function openScriptedAgent({ card, answer, at }: Script): Promise<ScriptedAgent> {
  const calls: ReceivedCall[] = [];
  let url = "";
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === "GET") {
        const isCard = request.url === "/.well-known/agent-card.json";
        response.writeHead(isCard ? 200 : 404, { "Content-Type": "application/json" });
        response.end(isCard ? JSON.stringify(cardAt(url, card, at)) : "{}");
        return;
      }
      const { id, method, params } = JSON.parse(await readAll(request)) as ReceivedCall & {
        id: number;
      };
      const call = { method, params, headers: request.headers, url: request.url ?? "" };
      calls.push(call);
      const result = answer(call, calls.length);
      if (typeof result === "object" && "events" in result) {
        response.writeHead(200, { "Content-Type": "text/event-stream" });
        for (const event of result.events as readonly object[]) {
          response.write(`data: ${JSON.stringify({ ...event, id })}\n\n`);
        }
        response.end();
        return;
      }
      response.writeHead(typeof result === "number" ? result : 200, {
        "Content-Type": "application/json",
      });
      const body = typeof result === "number" ? {} : "error" in result ? result : { result };
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A card of an agent at a URL. */
export function cardAt(url: string, more: object = {}, at: object = {}): object {
  return {
    name: "Scripted",
    description: "Answers what a script says",
    version: "1",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0", ...at }],
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    ...more,
  };
}

/** A task in a state. */
export function taskIn(state: string, more: object = {}): object {
  return { id: "t", contextId: "c", status: { state: `TASK_STATE_${state}` }, ...more };
}
