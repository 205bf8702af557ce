import { A2AError, defaultLimits } from "../protocol/internal.js";
import type {
  CallContext,
  JsonValue,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/internal.js";
import { codecs, Cursor } from "../wire/internal.js";
import type { Codec, Dialect } from "../wire/internal.js";
import { createCallContext } from "./call-context.js";
import type { Exchange } from "./exchange.js";
import { encodeExtendedCard } from "./extended-card.js";
import { hostFor } from "./site.js";
import type { Host } from "./site.js";

/** A call that has been understood: for which agent, in which dialect, with what. */
export interface Call {
  readonly host: Host;
  readonly codec: Codec;
  readonly context: CallContext;
  readonly params: unknown;
}

/** Finds the agent that a request is for, and who asks. */
export async function openCall(
  exchange: Exchange,
  dialect: Dialect,
  params: unknown,
): Promise<Call> {
  const host = hostOf(exchange, params);
  const principal = host.auth === undefined ? undefined : await exchange.principal(host);
  const context = createCallContext(exchange, { host, dialect, principal });
  return { host, codec: codecs[dialect], context, params };
}

/** Reads the parameters, calls the service, and writes the result, all in one dialect. */
export async function callOnce<O extends UnaryOperation>(
  exchange: Exchange,
  { host, codec, context, params }: Call,
  operation: O,
): Promise<JsonValue> {
  const { service } = host.mount.agent;
  const request = codec.decodeRequest[operation](params, createCursor(exchange));
  // TypeScript does not see that the request, the method and the encoder are of one operation.
  const invoke = service[operation] as (
    request: RequestOf<O>,
    context: CallContext,
  ) => Promise<ResultOf<O>>;
  const encode = codec.encodeResult[operation] as (
    result: ResultOf<O>,
    request: RequestOf<O>,
  ) => JsonValue;
  const result = await invoke.call(service, request, withTenant(context, request));
  return operation === "getExtendedAgentCard"
    ? encodeExtendedCard(result as ResultOf<"getExtendedAgentCard">, codec, exchange, host)
    : encode(result, request);
}

/** A stream of events, and what its caller and its encoder have to know of the task behind it. */
export interface OpenedStream {
  readonly events: AsyncIterable<StreamEvent>;
  /** The task that the caller named, if it named one. */
  readonly taskId: string | undefined;
  /** Artifacts that the stream does not begin with, in the order of the task. */
  readonly artifactIds: readonly string[];
}

export async function openStream(
  exchange: Exchange,
  { host, codec, context, params }: Call,
  operation: StreamingOperation,
): Promise<OpenedStream> {
  const { service } = host.mount.agent;
  const cursor = createCursor(exchange);
  if (operation === "sendStreamingMessage") {
    const request = codec.decodeRequest.sendStreamingMessage(params, cursor);
    const events = service.sendStreamingMessage(request, withTenant(context, request));
    return { events, taskId: request.message.taskId, artifactIds: [] };
  }
  const request = codec.decodeRequest.subscribeToTask(params, cursor);
  const { id } = request;
  const call = withTenant(context, request);
  // Only 0.1 counts artifacts, and only what is resumed in the middle does not tell them from the start.
  const isCounted = codec.version === "0.1" && call.resumeAfter !== undefined;
  const task = isCounted ? await service.getTask({ id, historyLength: 0 }, call) : undefined;
  return {
    events: service.subscribeToTask(request, call),
    taskId: id,
    artifactIds: (task?.artifacts ?? []).map(({ artifactId }) => artifactId),
  };
}

/** The dialect in which the task that the parameters name was created. */
export async function findTaskOrigin(
  exchange: Exchange,
  dialect: Dialect,
  params: unknown,
): Promise<Dialect | undefined> {
  const host = hostOf(exchange, params);
  const { agent } = host.mount;
  const id = memberOf(params, "id");
  if (id === undefined || agent.originOf === undefined) return undefined;
  const principal = await exchange.principal(host);
  const context = createCallContext(exchange, { host, dialect, principal });
  const origin = await agent.originOf(id, context);
  return origin !== undefined && Object.hasOwn(codecs, origin) ? (origin as Dialect) : undefined;
}

/** Refuses a body that is not the JSON it should be, as far as its headers tell. */
export function checkContentType({ request }: Exchange, expected: string): void {
  const encoding = request.header("content-encoding") ?? "identity";
  if (encoding !== "identity") refuse(`expected no Content-Encoding, got ${quote(encoding)}`);
  const type = request.header("content-type");
  if (type === "application/json") return;
  // Pages of any origin may send a body without a type, unasked; other callers are believed.
  const isSilent = type === undefined && request.header("origin") === undefined;
  const [name = ""] = (type ?? "").split(";");
  if (isSilent || /^application\/(?:[\w.+-]+\+)?json$/i.test(name.trim())) return;
  refuse(`expected Content-Type ${expected}, got ${type === undefined ? "none" : quote(name)}`);
}

function refuse(message: string): never {
  throw new A2AError("CONTENT_TYPE_NOT_SUPPORTED", message);
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}

export function maxBodyBytes({ options }: Exchange): number {
  return (options.limits ?? defaultLimits).maxBodyBytes;
}

function hostOf({ site }: Exchange, params: unknown): Host {
  return hostFor(site, memberOf(params, "tenant"));
}

/** A member that is a string and not empty; what else it may be is for the codec to refuse. */
function memberOf(params: unknown, name: string): string | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const value = (params as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A tenant named in the request, where the mount does not decide it. */
function withTenant(call: CallContext, request: object): CallContext {
  const tenant = "tenant" in request ? request.tenant : undefined;
  return call.tenant === undefined && typeof tenant === "string" ? { ...call, tenant } : call;
}

function createCursor({ options: { limits } }: Exchange): Cursor {
  return new Cursor(limits === undefined ? {} : { limits });
}
