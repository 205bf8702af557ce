import { ownTurn } from "../async/internal.js";
import { A2AError, callOnce, callStream } from "../protocol/internal.js";
import { readTrace } from "../protocol/tracing/internal.js";
import type {
  AgentCard,
  AgentInterface,
  CallContext,
  EventIterator,
  Credentials,
  JsonValue,
  LargeAnswer,
  PeerCertificate,
  Principal,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  TraceContext,
  UnaryOperation,
  Writable,
} from "../protocol/internal.js";
import {
  activateExtensions,
  nameCallersFields,
  requestedExtensions,
  versionOf,
} from "../wire/internal.js";
import type { Codec, Cursor, Dialect } from "../wire/internal.js";
import { clientAddress } from "./client-address.js";
import { declareIn } from "./mount.js";
import type { MountedAgent } from "./mount.js";
import { usableRequestId } from "./request-id.js";

/** What every binding knows of a request, apart from its message. */
export interface IncomingRequest {
  /** A header by its lower-case name, over gRPC the metadata; several of one name are joined by commas. */
  header(name: string): string | undefined;
  /** Aborted when the caller goes away. */
  readonly signal?: AbortSignal;
  readonly connection?: Connection;
  /** The trace that the request is part of, where a span of this server has taken the place of what its headers say. */
  trace?: TraceContext;
}

/** The connection itself, whatever headers say. */
export interface Connection {
  /** The other end's address, which may be a proxy's. */
  readonly address?: string | undefined;
  /** The host and port at this end. */
  readonly localHost?: string;
  readonly isSecure?: boolean;
  /** The other end's certificate, if it has one that leads to a trusted authority. */
  readonly certificate?: PeerCertificate | undefined;
}

/** A call whose agent, caller and dialect are known, and whose parameters have not been read yet. */
export interface Call {
  readonly agent: MountedAgent;
  readonly codec: Codec;
  readonly context: CallContext;
  /** The parameters in the JSON form of the dialect. */
  readonly params: unknown;
  /** Reads the parameters within the server's limits. */
  readonly cursor: Cursor;
  /** Whether the parameters are so large that each step of the call gets a turn of the event loop for itself. */
  readonly isLarge?: boolean;
}

/** Whether to read or to check a message of this many bytes may take so long that others would notice. */
export function isLarge(bytes: number): boolean {
  return bytes > 64 * 1024;
}

export interface CallContextSource {
  readonly request: IncomingRequest;
  readonly agent: MountedAgent;
  readonly dialect: Dialect;
  readonly binding: NonNullable<CallContext["binding"]>;
  /** The tenant that the agent is called under, as far as the mount decides it. */
  readonly tenant: string | undefined;
  readonly principal: Principal | undefined;
  /** Read only if the agent authenticates its callers. */
  readonly credentials: Credentials | undefined;
  /** Whether the server believes what a connection from this address forwards. */
  readonly trustsProxy: ((address: string) => boolean) | undefined;
  readonly trustTraceparent?: boolean | undefined;
  /** Hears that the answer is large; see `CallContext`. */
  readonly holdAnswer?: (answer: LargeAnswer) => void;
}

/** The context of a call: its caller, tenant, dialect and extensions, and what its headers ask for. */
export function createCallContext({
  request,
  agent,
  dialect,
  binding,
  tenant,
  principal,
  credentials,
  trustsProxy,
  trustTraceparent,
  holdAnswer,
}: CallContextSource): CallContext {
  const version = versionOf(dialect);
  const extensions = activate(request, agent, version);
  const trace = request.trace ?? traceOf(request, trustTraceparent);
  const idempotencyKey = idempotencyKeyOf(request);
  const resumeAfter = sequenceOf(request.header("last-event-id"));
  const { signal } = request;
  const context: Writable<CallContext> = { version, binding, dialect, extensions };
  if (principal !== undefined) context.principal = principal;
  const header = (name: string): string | undefined => request.header(name);
  const address = clientAddress(request.connection?.address, header, trustsProxy);
  if (address !== undefined) context.address = address;
  // None is made up where nobody audits calls.
  const requestId =
    agent.auth === undefined
      ? usableRequestId(request.header("x-request-id"))
      : credentials?.requestId;
  if (requestId !== undefined) context.requestId = requestId;
  if (tenant !== undefined) context.tenant = tenant;
  if (signal !== undefined) context.signal = signal;
  if (trace !== undefined) context.trace = trace;
  if (idempotencyKey !== undefined) context.idempotencyKey = idempotencyKey;
  if (resumeAfter !== undefined) context.resumeAfter = resumeAfter;
  if (holdAnswer !== undefined) context.holdAnswer = holdAnswer;
  return context;
}

/** The trace that the headers of a request name, if it is well-formed. */
export function traceOf(request: IncomingRequest, isTrusted = true): TraceContext | undefined {
  const traceparent = request.header("traceparent");
  if (traceparent === undefined) return undefined;
  const trace = readTrace(traceparent, request.header("tracestate"));
  return trace === undefined || isTrusted ? trace : { ...trace, isUntrusted: true };
}

const noExtensions: readonly string[] = [];

function activate(
  request: IncomingRequest,
  { extensions }: MountedAgent,
  version: CallContext["version"],
): readonly string[] {
  if (extensions.length === 0) return noExtensions;
  const requested = requestedExtensions(version, (name) => request.header(name.toLowerCase()));
  return activateExtensions(requested, extensions, version);
}

const maxIdempotencyKeyLength = 256;

/** The idempotency key. One that is too long is refused, not cut: two keys could become one. */
function idempotencyKeyOf(request: IncomingRequest): string | undefined {
  const key = request.header("idempotency-key");
  if (key === undefined || key.length <= maxIdempotencyKeyLength) return key || undefined;
  const message = `the Idempotency-Key has more than ${maxIdempotencyKeyLength} characters; send a shorter one`;
  throw new A2AError("INVALID_REQUEST", message);
}

function sequenceOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId)
    ? Number(lastEventId)
    : undefined;
}

/** Decodes the parameters of a call, calls the service, and encodes the result. */
export async function invoke<O extends UnaryOperation>(
  { agent, codec, context, params, cursor, isLarge: hasOwnTurns = false }: Call,
  operation: O,
): Promise<JsonValue> {
  const request = codec.decodeRequest[operation](params, cursor);
  if ("method" in request) checkMethod(request.method, agent);
  if (hasOwnTurns) await ownTurn();
  const calling = callOnce(agent.service, operation, request, withTenant(context, request));
  let result: ResultOf<O>;
  try {
    result = await calling;
  } catch (error) {
    const known = codec.resultOfError?.[operation]?.(A2AError.from(error), request);
    if (known !== undefined) return known;
    throw codec.version === "1.0" ? error : nameCallersFields(error, operation, params);
  }
  // TypeScript does not see that the result and the encoder are of one operation.
  const encode = codec.encodeResult[operation] as (
    result: ResultOf<O>,
    request: RequestOf<O>,
  ) => JsonValue;
  return encode(result, request);
}

/** Other agents at the same path may have the method. */
function checkMethod(method: string, { methods }: MountedAgent): void {
  if (methods.includes(method)) return;
  throw new A2AError("METHOD_NOT_FOUND", `there is no method ${JSON.stringify(method)}`);
}

/**
 * Calls the service for the extended card. A card without interfaces gets those at which the call found the
 * agent, and every card the requirements of the agent's authenticator.
 */
export async function invokeExtendedCard(
  { agent, codec, context, params, cursor }: Call,
  interfacesHere: () => readonly AgentInterface[],
): Promise<AgentCard> {
  const request = codec.decodeRequest.getExtendedAgentCard(params, cursor);
  const card = await agent.service.getExtendedAgentCard(request, withTenant(context, request));
  const hasInterfaces = card.supportedInterfaces.length > 0;
  const whole = hasInterfaces ? card : { ...card, supportedInterfaces: interfacesHere() };
  return declareIn(whole, agent.auth);
}

/** A stream of events, and what the encoder of the events needs to know of the task. */
export interface OpenedStream {
  readonly events: AsyncIterable<StreamEvent>;
  /** The task that the caller named, if it named one. */
  readonly taskId: string | undefined;
  /** Artifacts that the task had before the first event of the stream, in their order. */
  readonly artifactIds: readonly string[];
}

/** Decodes the parameters of a call, and asks the service for the stream. */
export async function openStream(
  { agent: { service }, codec, context, params, cursor, isLarge: hasOwnTurns = false }: Call,
  operation: StreamingOperation,
): Promise<OpenedStream> {
  const request = codec.decodeRequest[operation](params, cursor);
  if (hasOwnTurns) await ownTurn();
  // What a stream holds, the stream releases.
  const { holdAnswer: _, ...call } = withTenant(context, request);
  const taskId = "message" in request ? request.message.taskId : request.id;
  // Only 0.1 counts artifacts, and only a stream that resumes in the middle does not show them all.
  const isCounted = codec.version === "0.1" && "id" in request && call.resumeAfter !== undefined;
  const task = isCounted
    ? await service.getTask({ id: request.id, historyLength: 0 }, call)
    : undefined;
  const events = callStream(service, operation, request, call);
  const mayRefuse =
    codec.version !== "1.0" &&
    "message" in request &&
    request.configuration?.taskPushNotificationConfig !== undefined;
  return {
    events: mayRefuse ? namingFields(events, operation, params) : events,
    taskId,
    artifactIds: (task?.artifacts ?? []).map(({ artifactId }) => artifactId),
  };
}

/** The same events. An error about the webhook of a message names the caller's own fields. */
function namingFields(
  events: AsyncIterable<StreamEvent>,
  operation: StreamingOperation,
  params: unknown,
): AsyncIterable<StreamEvent> {
  return {
    [Symbol.asyncIterator](): EventIterator {
      const iterator: EventIterator = events[Symbol.asyncIterator]();
      return {
        next: () =>
          iterator.next().catch((error: unknown) => {
            throw nameCallersFields(error, operation, params);
          }),
        take: () => iterator.take?.(),
        ...(iterator.onReady !== undefined && {
          onReady: (reader: { wake(): void }) => iterator.onReady?.(reader),
        }),
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}

/** Takes the tenant from the request, where the mount does not decide it. */
function withTenant(call: CallContext, request: { readonly tenant?: string }): CallContext {
  const { tenant } = request;
  return call.tenant === undefined && tenant !== undefined ? { ...call, tenant } : call;
}
