import { A2AError, defaultLimits } from "../protocol/index.js";
import type {
  CallContext,
  JsonValue,
  RequestOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/index.js";
import { codecs, Cursor } from "../wire/index.js";
import type { Codec, Dialect } from "../wire/index.js";
import { createCallContext } from "./call-context.js";
import type { Exchange } from "./exchange.js";

/** Reads the parameters, calls the service, and writes the result, all in one dialect. */
export async function callOnce<O extends UnaryOperation>(
  exchange: Exchange,
  {
    codec,
    call,
    params,
  }: { readonly codec: Codec; readonly call: CallContext; readonly params: unknown },
  operation: O,
): Promise<JsonValue> {
  const { service } = exchange.mount.agent;
  const request = codec.decodeRequest[operation](params, createCursor(exchange));
  // TypeScript does not see that the request, the method and the encoder are of one operation.
  const invoke = service[operation] as (request: RequestOf<O>, call: CallContext) => Promise<never>;
  const encode = codec.encodeResult[operation] as (
    result: never,
    request: RequestOf<O>,
  ) => JsonValue;
  return encode(await invoke.call(service, request, withTenant(call, request)), request);
}

/** A stream of events and the task that its caller named, if it named one. */
export interface OpenedStream {
  readonly events: AsyncIterable<StreamEvent>;
  readonly taskId: string | undefined;
}

export function openStream(
  exchange: Exchange,
  {
    codec,
    call,
    params,
  }: { readonly codec: Codec; readonly call: CallContext; readonly params: unknown },
  operation: StreamingOperation,
): OpenedStream {
  const { service } = exchange.mount.agent;
  const cursor = createCursor(exchange);
  if (operation === "sendStreamingMessage") {
    const request = codec.decodeRequest.sendStreamingMessage(params, cursor);
    const events = service.sendStreamingMessage(request, withTenant(call, request));
    return { events, taskId: request.message.taskId };
  }
  const request = codec.decodeRequest.subscribeToTask(params, cursor);
  return {
    events: service.subscribeToTask(request, withTenant(call, request)),
    taskId: request.id,
  };
}

/** The dialect in which the task that the parameters name was created. */
export async function findTaskOrigin(
  exchange: Exchange,
  dialect: Dialect,
  params: unknown,
): Promise<Dialect | undefined> {
  const { agent } = exchange.mount;
  const id =
    typeof params === "object" && params !== null && "id" in params ? params.id : undefined;
  if (typeof id !== "string" || agent.originOf === undefined) return undefined;
  const call = await createCallContext(exchange.request, dialect, exchange);
  const origin = await agent.originOf(id, call);
  return origin !== undefined && origin in codecs ? (origin as Dialect) : undefined;
}

/** Refuses a body that does not claim to be JSON. No claim at all is believed. */
export function checkContentType({ request }: Exchange, expected: string): void {
  const [type = ""] = (request.header("content-type") ?? "application/json").split(";");
  if (/^application\/(?:[\w.+-]+\+)?json$/i.test(type.trim())) return;
  const message = `expected Content-Type ${expected}, got ${JSON.stringify(type)}`;
  throw new A2AError("CONTENT_TYPE_NOT_SUPPORTED", message);
}

export function maxBodyBytes({ options }: Exchange): number {
  return (options.limits ?? defaultLimits).maxBodyBytes;
}

/** A tenant named in the request, where the mount does not decide it. */
function withTenant(call: CallContext, request: object): CallContext {
  const tenant = "tenant" in request ? request.tenant : undefined;
  return call.tenant === undefined && typeof tenant === "string" ? { ...call, tenant } : call;
}

function createCursor({ options: { limits } }: Exchange): Cursor {
  return new Cursor(limits === undefined ? {} : { limits });
}
