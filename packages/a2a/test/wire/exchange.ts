/** One value sent from one end to the other in a dialect: encoded, written and read as JSON, decoded. */
import { operations } from "../../src/protocol/internal.js";
import type {
  Operation,
  RequestOf,
  ResultOf,
  StreamResponse,
  Task,
} from "../../src/protocol/internal.js";
import { Cursor } from "../../src/protocol/parse/internal.js";
import type { EventContext, KnownIds } from "../../src/wire/codec.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { artifactIndex, generatedId } from "./losses.js";
import type { PlainOperation } from "../support/arbitraries/operations.js";

export const dialects = Object.keys(codecs) as readonly Dialect[];

/** What 0.1 does not have. Every other dialect has everything. */
const missingInOldest: ReadonlySet<Operation> = new Set<Operation>([
  "listTasks",
  "listTaskPushNotificationConfigs",
  "deleteTaskPushNotificationConfig",
  "getExtendedAgentCard",
]);

export function hasOperation(dialect: Dialect, operation: Operation): boolean {
  return dialect !== "0.1" || !missingInOldest.has(operation);
}

/** Agent cards have tests of their own. */
export const plainOperations = operations.filter(
  (operation): operation is PlainOperation =>
    operation !== "sendStreamingMessage" &&
    operation !== "subscribeToTask" &&
    operation !== "getExtendedAgentCard",
);

/** Reads as a server does. */
export function serverCursor(): Cursor {
  return new Cursor({ newId: () => generatedId });
}

/** Reads as a client does. */
export function clientCursor(): Cursor {
  return new Cursor({ code: "INVALID_AGENT_RESPONSE", newId: () => generatedId });
}

export function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

export function exchangeRequest<O extends Operation>(
  dialect: Dialect,
  operation: O,
  request: RequestOf<O>,
): RequestOf<O> {
  const { encodeRequest, decodeRequest } = codecs[dialect];
  return decodeRequest[operation](throughJson(encodeRequest[operation](request)), serverCursor());
}

export function exchangeResult<O extends PlainOperation>(
  dialect: Dialect,
  operation: O,
  answer: { readonly result: ResultOf<O>; readonly request: RequestOf<O> },
): ResultOf<O> {
  const { encodeResult, decodeResult } = codecs[dialect];
  const json = throughJson(encodeResult[operation](answer.result, answer.request));
  return decodeResult[operation](json, clientCursor(), {});
}

/** The context under which the tests send events; it has nothing that the event does not say. */
export function eventContext(final: boolean): EventContext {
  return { final, artifactIndex: () => artifactIndex };
}

export function exchangeEvent(
  dialect: Dialect,
  event: StreamResponse,
  final: boolean,
): readonly StreamResponse[] {
  const { encodeEvent, decodeEvent } = codecs[dialect];
  const known = knownIds(event);
  return encodeEvent(event, eventContext(final)).map((json) =>
    decodeEvent(throughJson(json), clientCursor(), known),
  );
}

export function exchangePushPayload(
  dialect: Dialect,
  event: StreamResponse,
  task: Task,
): StreamResponse {
  const { encodePushPayload, decodePushPayload } = codecs[dialect];
  return decodePushPayload(throughJson(encodePushPayload(event, task).body), clientCursor());
}

/** The context's id, which a client has from earlier answers where events of 0.1 do not tell it. */
function knownIds({ task, message, statusUpdate, artifactUpdate }: StreamResponse): KnownIds {
  const { contextId } = task ?? message ?? statusUpdate ?? artifactUpdate;
  return contextId === undefined ? {} : { contextId };
}
