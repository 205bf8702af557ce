/** Calls a server in one dialect with raw HTTP, and reads its answers with that dialect's codec. */
import type {
  JsonObject,
  Operation,
  RequestOf,
  ResultOf,
  StreamResponse,
  UnaryOperation,
} from "@parley/a2a";
import { buildRestRequest, codecs, Cursor, jsonRpcMethod } from "@parley/a2a/wire";
import type { Dialect } from "@parley/a2a/wire";
import type { Event } from "./event-client.js";
import { jsonOf, send } from "./http-client.js";
import type { Answer, JsonBody, SendOptions } from "./http-client.js";

/** A dialect in the binding that it is sent in. 1.0 has both. */
export type Speech = Dialect | "1.0 REST";

export function dialectOf(speech: Speech): Dialect {
  return speech === "1.0 REST" ? "1.0" : speech;
}

export function isRest(speech: Speech): boolean {
  return speech === "1.0 REST" || speech === "0.3-proto" || speech === "0.3-schema";
}

type Headers = Readonly<Record<string, string | string[]>>;

/** An operation as a route and its options. */
export function write<O extends Operation>(
  speech: Speech,
  operation: O,
  request: RequestOf<O>,
  headers: Headers = {},
): readonly [route: string, options: SendOptions] {
  const dialect = dialectOf(speech);
  const encoded = codecs[dialect].encodeRequest[operation](request);
  const params = dialect === "0.3+type" ? withoutKinds(encoded) : encoded;
  if (!isRest(speech)) {
    const method = jsonRpcMethod(dialect, operation);
    return ["POST /", { headers, json: { jsonrpc: "2.0", id: 1, method, params } }];
  }
  const { httpMethod, path, query, body } = buildRestRequest(dialect, operation, params);
  const route = `${httpMethod} ${path}${query === "" ? "" : `?${query}`}`;
  return [route, { headers, ...(body !== undefined && { json: body }) }];
}

/** Removes `kind`: a server takes a caller that writes none for one that reads `type`. */
function withoutKinds(params: JsonObject): JsonObject {
  const text = JSON.stringify(params).replaceAll(/"kind":"\w+",/g, "");
  return jsonOf({ text });
}

/** An answer, its JSON, and the result that its codec reads from it. */
export interface Reply<O extends UnaryOperation> extends Answer {
  readonly wire: JsonBody;
  readonly result: ResultOf<O>;
}

/** Calls an operation and reads its result. An error fails the test. */
export async function ask<O extends UnaryOperation>(
  url: string,
  speech: Speech,
  operation: O,
  request: RequestOf<O>,
): Promise<Reply<O>> {
  const answer = await send(url, ...write(speech, operation, request));
  const wire: JsonBody = isRest(speech)
    ? answer.text === "" || jsonOf(answer)
    : jsonOf(answer).result;
  if (wire === undefined || answer.status >= 300) throw new Error(`not answered: ${answer.text}`);
  return { ...answer, wire, result: readResult(dialectOf(speech), operation, wire) };
}

export function readResult<O extends UnaryOperation>(
  dialect: Dialect,
  operation: O,
  wire: unknown,
): ResultOf<O> {
  return codecs[dialect].decodeResult[operation](wire, peerCursor(), {});
}

/** What an event says, without its JSON-RPC envelope. */
export function payloadOf(speech: Speech, { data }: Event): JsonBody {
  return isRest(speech) ? data : data.result;
}

export function readEvent(dialect: Dialect, wire: unknown): StreamResponse {
  return codecs[dialect].decodeEvent(wire, peerCursor(), {});
}

function peerCursor(): Cursor {
  return new Cursor({ code: "INVALID_AGENT_RESPONSE", newId: () => "generated" });
}

/** A text message of the model. */
export function textMessage(
  text: string,
  more: Partial<RequestOf<"sendMessage">["message"]> = {},
): RequestOf<"sendMessage"> {
  return {
    message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }], ...more },
  };
}
