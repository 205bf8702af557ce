/** HTTP as it is on the socket: the client retries, follows, decompresses and adds nothing by itself. */
import { request } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { text } from "node:stream/consumers";

export interface SendOptions {
  /** Several values of one name become several lines. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Sent as it is. */
  readonly body?: string | Buffer;
  /** Sent as JSON, labelled `application/json` unless the headers say otherwise. */
  readonly json?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a route such as `GET /tasks/t1` to the server at a URL. */
export async function send(url: string, route: string, options: SendOptions = {}): Promise<Answer> {
  const incoming = await open(url, route, options);
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text: await text(incoming),
  };
}

/** Resolves with the head of the answer; its body is still to come. */
export function open(
  url: string,
  route: string,
  { headers = {}, body, json }: SendOptions = {},
  more: RequestOptions = {},
): Promise<IncomingMessage> {
  const [method = "", path = ""] = route.split(/ (.*)/s);
  const payload = json === undefined ? body : JSON.stringify(json);
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        method,
        path,
        hostname,
        port,
        agent: false,
        ...more,
        headers: {
          ...(json !== undefined && { "Content-Type": "application/json" }),
          ...(payload !== undefined && { "Content-Length": Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      resolve,
    );
    outgoing.once("error", reject);
    outgoing.end(payload);
  });
}

/** A body's JSON, for tests that look into it with `toMatchObject` or a codec. */
export function jsonOf({ text }: Pick<Answer, "text">): JsonBody {
  return JSON.parse(text) as JsonBody;
}

/** The JSON of an answer, untyped: the assertions of a test check what is in it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type JsonBody = any;

let lastId = 0;

/** A JSON-RPC request as an option of `send`. */
export function rpc(
  method: string,
  params?: unknown,
  headers: Readonly<Record<string, string>> = {},
): SendOptions {
  lastId += 1;
  return { headers, json: { jsonrpc: "2.0", id: lastId, method, params } };
}

/** Sends a JSON-RPC request to the base URL and answers the response's body. */
export async function call(
  url: string,
  method: string,
  params?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<JsonBody> {
  return jsonOf(await send(url, "POST /", rpc(method, params, headers)));
}

let lastMessage = 0;

/** Parameters of a 1.0 send. */
export function say(words: string, message: object = {}, configuration?: object): object {
  lastMessage += 1;
  return {
    message: {
      messageId: `m${lastMessage}`,
      role: "ROLE_USER",
      parts: [{ text: words }],
      ...message,
    },
    ...(configuration !== undefined && { configuration }),
  };
}

/** Parameters of a 0.3 send. */
export function sayEarlier(words: string, message: object = {}, configuration?: object): object {
  lastMessage += 1;
  return {
    message: {
      kind: "message",
      messageId: `m${lastMessage}`,
      role: "user",
      parts: [{ kind: "text", text: words }],
      ...message,
    },
    ...(configuration !== undefined && { configuration }),
  };
}

/** Parameters of a 0.1 send to a task that the client names. */
export function sayOldest(id: string, words: string): object {
  return { id, message: { role: "user", parts: [{ type: "text", text: words }] } };
}
