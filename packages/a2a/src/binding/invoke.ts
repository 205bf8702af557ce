import { callOnce, callStream } from "../protocol/internal.js";
import type {
  AgentCard,
  AgentInterface,
  CallContext,
  JsonValue,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/internal.js";
import type { Codec, Cursor } from "../wire/internal.js";
import { declareIn } from "./mount.js";
import type { MountedAgent } from "./mount.js";

/** A call whose agent, caller and dialect are known, and whose parameters have not been read yet. */
export interface Call {
  readonly agent: MountedAgent;
  readonly codec: Codec;
  readonly context: CallContext;
  /** The parameters in the JSON form of the dialect. */
  readonly params: unknown;
  /** Reads the parameters within the server's limits. */
  readonly cursor: Cursor;
}

/** Decodes the parameters of a call, calls the service, and encodes the result. */
export async function invoke<O extends UnaryOperation>(
  { agent, codec, context, params, cursor }: Call,
  operation: O,
): Promise<JsonValue> {
  const request = codec.decodeRequest[operation](params, cursor);
  const result = await callOnce(agent.service, operation, request, withTenant(context, request));
  // TypeScript does not see that the result and the encoder are of one operation.
  const encode = codec.encodeResult[operation] as (
    result: ResultOf<O>,
    request: RequestOf<O>,
  ) => JsonValue;
  return encode(result, request);
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
  { agent: { service }, codec, context, params, cursor }: Call,
  operation: StreamingOperation,
): Promise<OpenedStream> {
  const request = codec.decodeRequest[operation](params, cursor);
  const call = withTenant(context, request);
  const taskId = "message" in request ? request.message.taskId : request.id;
  // Only 0.1 counts artifacts, and only a stream that resumes in the middle does not show them all.
  const isCounted = codec.version === "0.1" && "id" in request && call.resumeAfter !== undefined;
  const task = isCounted
    ? await service.getTask({ id: request.id, historyLength: 0 }, call)
    : undefined;
  return {
    events: callStream(service, operation, request, call),
    taskId,
    artifactIds: (task?.artifacts ?? []).map(({ artifactId }) => artifactId),
  };
}

/** Takes the tenant from the request, where the mount does not decide it. */
function withTenant(call: CallContext, request: { readonly tenant?: string }): CallContext {
  const { tenant } = request;
  return call.tenant === undefined && tenant !== undefined ? { ...call, tenant } : call;
}
