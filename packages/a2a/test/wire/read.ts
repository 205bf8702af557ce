/** Short ways to read and write one value in one dialect, for tests whose expectations are literals. */
import { A2AError } from "../../src/protocol/internal.js";
import type {
  Operation,
  RequestOf,
  ResultOf,
  StreamResponse,
  UnaryOperation,
} from "../../src/protocol/internal.js";
import { Cursor } from "../../src/protocol/parse/internal.js";
import type { EventContext, KnownIds } from "../../src/wire/codec.js";
import { codecs } from "../../src/wire/codecs.js";
import { detectJsonRpc } from "../../src/wire/detect/detect-json-rpc.js";
import { detectRest } from "../../src/wire/detect/detect-rest.js";
import type { Detected } from "../../src/wire/detect/detected.js";
import type { Dialect } from "../../src/wire/dialect.js";

export const dialects = Object.keys(codecs) as readonly Dialect[];

/** What a server makes of the parameters of a request. Ids it makes up are `generated`. */
export function readRequest<O extends Operation>(
  dialect: Dialect,
  operation: O,
  params: unknown,
): RequestOf<O> {
  const cursor = new Cursor({ newId: () => "generated" });
  return codecs[dialect].decodeRequest[operation](params, cursor);
}

/** What a client makes of a result. */
export function readResult<O extends UnaryOperation>(
  dialect: Dialect,
  operation: O,
  json: unknown,
): ResultOf<O> {
  return codecs[dialect].decodeResult[operation](json, peerCursor(), {});
}

/** What a client makes of an event, given the ids it knows. */
export function readEvent(dialect: Dialect, json: unknown, known: KnownIds = {}): StreamResponse {
  return codecs[dialect].decodeEvent(json, peerCursor(), known);
}

/** What a server prints for an event, as the list of its messages. */
export function printEvent(
  dialect: Dialect,
  event: StreamResponse,
  context: EventContext = {},
): readonly unknown[] {
  return codecs[dialect].encodeEvent(event, context);
}

export function peerCursor(): Cursor {
  return new Cursor({ code: "INVALID_AGENT_RESPONSE", newId: () => "generated" });
}

interface DetectOptions {
  readonly version?: string | undefined;
  readonly createdIn?: Dialect | undefined;
}

/** What a JSON-RPC request is taken for; throws what it is refused with. */
export function detectMethod(
  method: string,
  { params, version, createdIn }: DetectOptions & { readonly params?: unknown } = {},
): Pick<Detected, "operation" | "dialect"> {
  const known = createdIn === undefined ? {} : { createdIn };
  const detected = detectJsonRpc({ method, params, version, ...known });
  if ("error" in detected) throw detected.error;
  return { operation: detected.operation, dialect: detected.dialect };
}

/** What a REST request, such as `GET /tasks/t1?historyLength=0`, is taken for, and its parameters. */
export function detectPath(
  route: string,
  { body, version, createdIn }: DetectOptions & { readonly body?: unknown } = {},
): Pick<Detected, "operation" | "dialect"> & { readonly params: unknown } {
  const [httpMethod = "", target = ""] = route.split(" ");
  const [path = "", search] = target.split("?");
  const known = createdIn === undefined ? {} : { createdIn };
  const query = new URLSearchParams(search);
  const detected = detectRest({ httpMethod, path, query, version, body, ...known });
  if ("error" in detected) throw detected.error;
  const { operation, dialect, params } = detected;
  return { operation, dialect, params };
}

/** The error that `run` throws. */
export function refusal(run: () => unknown): A2AError {
  try {
    run();
  } catch (error) {
    if (A2AError.is(error)) return error;
    throw error;
  }
  throw new Error("expected a refusal, got none");
}
