import { A2AError } from "../protocol/internal.js";
import type { CallContext, Credentials, Principal, Writable } from "../protocol/internal.js";
import { activateExtensions, requestedExtensions, versionOf } from "../wire/internal.js";
import type { Dialect } from "../wire/internal.js";
import type { IncomingRequest } from "./incoming-request.js";
import type { MountedAgent } from "./mount.js";

const maxIdempotencyKeyLength = 256;

export interface CallContextSource {
  readonly request: IncomingRequest;
  readonly agent: MountedAgent;
  readonly dialect: Dialect;
  /** The tenant that the agent is called under, as far as the mount decides it. */
  readonly tenant: string | undefined;
  readonly principal: Principal | undefined;
  /** Read only if the agent authenticates its callers. */
  readonly credentials: Credentials | undefined;
}

/** The context of a call: its caller, tenant, dialect and extensions, and what its headers ask for. */
export function createCallContext({
  request,
  agent,
  dialect,
  tenant,
  principal,
  credentials,
}: CallContextSource): CallContext {
  const version = versionOf(dialect);
  const extensions = activate(request, agent, version);
  const traceparent = request.header("traceparent");
  const tracestate = request.header("tracestate");
  const idempotencyKey = idempotencyKeyOf(request);
  const resumeAfter = sequenceOf(request.header("last-event-id"));
  const { signal } = request;
  const context: Writable<CallContext> = { version, dialect, extensions };
  if (principal !== undefined) context.principal = principal;
  if (agent.auth !== undefined && credentials !== undefined) {
    const { address, requestId } = credentials;
    if (address !== undefined) context.address = address;
    if (requestId !== undefined) context.requestId = requestId;
  }
  if (tenant !== undefined) context.tenant = tenant;
  if (signal !== undefined) context.signal = signal;
  if (traceparent !== undefined) {
    context.trace = { traceparent, ...(tracestate !== undefined && { tracestate }) };
  }
  if (idempotencyKey !== undefined) context.idempotencyKey = idempotencyKey;
  if (resumeAfter !== undefined) context.resumeAfter = resumeAfter;
  return context;
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
