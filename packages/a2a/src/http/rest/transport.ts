import { A2AError } from "../../protocol/index.js";
import type {
  AgentService,
  CallContext,
  JsonObject,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../../protocol/index.js";
import { buildRestRequest, codecs, configName, taskName } from "../../wire/index.js";
import type { Codec } from "../../wire/index.js";
import { createService, knownIds, withTenant } from "../client-service.js";
import {
  createPeerCursor,
  isEventStream,
  readEvents,
  readJson,
  sendRequest,
  withRetryAfter,
} from "../peer-exchange.js";
import type { TransportOptions } from "../transport-options.js";

/** Calls an agent over HTTP+JSON, in the dialect given. */
export function createRestTransport(options: TransportOptions): AgentService {
  const codec = codecs[options.dialect];
  const readers = codecsToReadWith(codec);
  const base = options.url.replace(/\/+$/, "");
  const mediaType = codec.version === "1.0" ? "application/a2a+json" : "application/json";
  /** The specification and its protobuf disagree about the verb; a server has one or the other. */
  let subscribesWithGet = false;

  async function send<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
    accept: string,
  ): Promise<Response> {
    const params = codec.encodeRequest[operation](withTenant(request, options.tenant));
    const built = buildRestRequest(options.dialect, operation, params);
    const method = operation === "subscribeToTask" && subscribesWithGet ? "GET" : built.httpMethod;
    const query = built.query === "" ? "" : `?${built.query}`;
    const members =
      codec.version === "0.3" && "url" in request
        ? { ...built.body, ...wholeConfigRequest(request, built.body) }
        : built.body;
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

  function errorOf(response: Response, json: unknown): A2AError {
    return withRetryAfter(codec.decodeHttpError(response.status, json), response);
  }

  async function callUnary<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): Promise<ResultOf<O>> {
    const response = await send(operation, request, call, mediaType);
    const json = await readJson(response);
    if (!response.ok) throw errorOf(response, json);
    return readWithAny(readers, (reader) =>
      reader.decodeResult[operation](json, createPeerCursor(), knownIds(request)),
    );
  }

  async function* callStreaming(
    operation: StreamingOperation,
    request: RequestOf<StreamingOperation>,
    call: CallContext,
  ): AsyncGenerator<StreamEvent, void, void> {
    const attempt = (): Promise<Response> => send(operation, request, call, "text/event-stream");
    let response = await attempt();
    const mayTryGet = operation === "subscribeToTask" && !subscribesWithGet;
    if (mayTryGet && (response.status === 404 || response.status === 405)) {
      const refused = response;
      subscribesWithGet = true;
      response = await attempt();
      if (!response.ok) {
        subscribesWithGet = false;
        throw errorOf(refused, await readJson(refused));
      }
      await refused.body?.cancel();
    }
    if (!response.ok) throw errorOf(response, await readJson(response));
    const known = knownIds(request);
    const readEvent = (data: unknown, ids: typeof known) => {
      if (isError(data)) throw errorOf(response, data);
      return readWithAny(readers, (reader) => reader.decodeEvent(data, createPeerCursor(), ids));
    };
    if (isEventStream(response)) yield* readEvents(response, call, readEvent, known);
    else yield { response: readEvent(await readJson(response), known) };
  }

  return createService(callUnary, callStreaming);
}

/**
 * The protobuf of 0.3 says that the configuration alone is the body; the official servers read the
 * whole request there. So it gets both.
 */
function wholeConfigRequest(
  { taskId, id = "" }: RequestOf<"createTaskPushNotificationConfig">,
  config: JsonObject | undefined,
): JsonObject {
  const name = configName(taskId, id);
  return { parent: taskName(taskId), configId: id, config: { ...config, name } };
}

/** 0.3 servers answer in one of two body forms, whichever they were asked in. */
function codecsToReadWith(codec: Codec): readonly Codec[] {
  if (codec.version === "1.0") return [codec];
  const other = codec.dialect === "0.3-proto" ? "0.3-schema" : "0.3-proto";
  return [codec, codecs[other]];
}

function readWithAny<T>(readers: readonly Codec[], read: (reader: Codec) => T): T {
  const [first, ...others] = readers;
  if (first === undefined) throw new A2AError("INTERNAL", "there is no codec to read with");
  try {
    return read(first);
  } catch (error) {
    for (const reader of others) {
      try {
        return read(reader);
      } catch {
        // The first reader's complaint is the one that helps.
      }
    }
    throw error;
  }
}

/** An error inside a stream: wrapped as in 1.0, or bare as servers of 0.3 send it. */
function isError(data: unknown): boolean {
  if (typeof data !== "object" || data === null || "status" in data) return false;
  return "error" in data || ("code" in data && typeof data.code === "number");
}
