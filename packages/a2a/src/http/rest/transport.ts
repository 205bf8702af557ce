import { createService } from "../../protocol/internal.js";
import type {
  A2AError,
  CallableService,
  CallContext,
  JsonObject,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../../protocol/internal.js";
import { fromBatches } from "../../async/internal.js";
import type { Batches } from "../../async/internal.js";
import { createPeerCursor, knownIds, withTenant } from "../../binding/internal.js";
import {
  buildRestRequest,
  configName,
  loadPeerCodec,
  taskName,
  versionOf,
  withTextFiles,
} from "../../wire/internal.js";
import type { PeerCodec } from "../../wire/internal.js";
import {
  isEventStream,
  readEvents,
  readJson,
  sendRequest,
  withRetryAfter,
} from "../peer-exchange.js";
import type { PeerAnswer, TransportOptions } from "../peer-exchange.js";
import { mediaTypeOf } from "./media-type.js";

/** Calls an agent over REST (`HTTP+JSON`), in one dialect. */
export function createRestTransport(options: TransportOptions): CallableService {
  const version = versionOf(options.dialect);
  const base = options.url.replace(/\/+$/, "");
  const mediaType = mediaTypeOf(version);
  /** The specification and its protobuf disagree about the verb of a subscription; servers follow either. */
  let subscribesWithGet = false;

  async function send<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
    accept: string,
  ): Promise<PeerAnswer> {
    const codec = await loadPeerCodec(options.dialect);
    const hasText = options.fileBytes === "base64" && codec.dialect === "0.3-proto";
    const told = hasText ? withTextFiles(request) : request;
    const params = codec.encodeRequest[operation](withTenant(told, options.tenant));
    const built = buildRestRequest(options.dialect, operation, params);
    const method = operation === "subscribeToTask" && subscribesWithGet ? "GET" : built.httpMethod;
    const query = built.query === "" ? "" : `?${built.query}`;
    const members =
      version === "0.3" && "url" in request ? wholeConfigRequest(request, built.body) : built.body;
    const body = members === undefined || method === "GET" ? undefined : JSON.stringify(members);
    return sendRequest(
      options,
      {
        url: `${base}${built.path}${query}`,
        method,
        accept,
        ...(body !== undefined && { body, contentType: mediaType }),
      },
      call,
    );
  }

  async function errorOf(answer: PeerAnswer): Promise<A2AError> {
    const { response } = answer;
    const { decodeHttpError } = await loadPeerCodec(options.dialect);
    return readJson(answer, (json) =>
      withRetryAfter(decodeHttpError(response.status, json), response),
    );
  }

  async function callUnary<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): Promise<ResultOf<O>> {
    const answer = await send(operation, request, call, mediaType);
    if (!answer.response.ok) throw await errorOf(answer);
    const readers = await loadReaders(options);
    return readJson(answer, (json) =>
      readWithAny(readers, (reader) =>
        reader.decodeResult[operation](json, createPeerCursor(options), knownIds(request)),
      ),
    );
  }

  async function* openStream(
    operation: StreamingOperation,
    request: RequestOf<StreamingOperation>,
    call: CallContext,
  ): Batches<StreamEvent> {
    const attempt = (): Promise<PeerAnswer> => send(operation, request, call, "text/event-stream");
    let answer = await attempt();
    const mayTryGet = operation === "subscribeToTask" && !subscribesWithGet;
    if (mayTryGet && [404, 405].includes(answer.response.status)) {
      const refused = answer;
      subscribesWithGet = true;
      answer = await attempt();
      if (!answer.response.ok) {
        subscribesWithGet = false;
        throw await errorOf(refused);
      }
      await refused.response.body?.cancel();
    }
    const { response } = answer;
    if (!response.ok) throw await errorOf(answer);
    const readers = await loadReaders(options);
    const known = knownIds(request);
    const readEvent = async (data: unknown, ids: typeof known) => {
      if (isError(data)) throw readers[0].decodeHttpError(response.status, data);
      return readWithAny(readers, (reader) =>
        reader.decodeEvent(data, createPeerCursor(options), ids),
      );
    };
    if (isEventStream(response)) yield* readEvents(answer, readEvent, known);
    else yield [{ response: await readJson(answer, (json) => readEvent(json, known)) }];
  }

  return createService(callUnary, (...call) => fromBatches(openStream(...call)));
}

/**
 * The protobuf of 0.3 says that the body is the configuration alone; the official servers read the whole request
 * from it, and those in Python and Java refuse members that it does not have.
 */
function wholeConfigRequest(
  { taskId, id = "" }: RequestOf<"createTaskPushNotificationConfig">,
  config: JsonObject | undefined,
): JsonObject {
  const name = configName(taskId, id);
  return { parent: taskName(taskId), configId: id, config: { ...config, name } };
}

type Readers = readonly [PeerCodec, ...PeerCodec[]];

/** 0.3 servers answer in one of two body forms, whatever the form of the request. */
async function loadReaders({ dialect }: TransportOptions): Promise<Readers> {
  const codec = await loadPeerCodec(dialect);
  if (codec.version === "1.0") return [codec];
  const other = codec.dialect === "0.3-proto" ? "0.3-schema" : "0.3-proto";
  return [codec, await loadPeerCodec(other)];
}

async function readWithAny<T>(
  [first, ...others]: Readers,
  read: (reader: PeerCodec) => T | Promise<T>,
): Promise<T> {
  try {
    return await read(first);
  } catch (error) {
    for (const reader of others) {
      try {
        return await read(reader);
      } catch {
        // The error of the first reader is thrown: it is that of the likelier form.
      }
    }
    throw error;
  }
}

function isError(data: unknown): boolean {
  if (typeof data !== "object" || data === null || "status" in data) return false;
  return "error" in data || ("code" in data && typeof data.code === "number");
}
