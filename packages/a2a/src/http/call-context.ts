import { A2AError } from "../protocol/internal.js";
import type {
  AgentExtension,
  CallContext,
  Principal,
  ProtocolVersion,
  Writable,
} from "../protocol/internal.js";
import {
  activateExtensions,
  extensionHeader,
  formatExtensions,
  requestedExtensions,
} from "../wire/internal.js";
import type { Dialect } from "../wire/internal.js";
import { versionOf } from "../wire/internal.js";
import type { Exchange } from "./exchange.js";
import type { HttpHeaders, HttpRequest } from "./http-message.js";
import type { Host } from "./site.js";

const maxIdempotencyKeyLength = 256;

/** The context of a call: who, under which tenant, in which dialect, with which extensions. */
export function createCallContext(
  { request, credentials }: Exchange,
  {
    host,
    dialect,
    principal,
  }: {
    readonly host: Host;
    readonly dialect: Dialect;
    readonly principal: Principal | undefined;
  },
): CallContext {
  const { mount, declared } = host;
  const version = versionOf(dialect);
  const extensions = activate(request, version, declared);
  const traceparent = request.header("traceparent");
  const tracestate = request.header("tracestate");
  const idempotencyKey = idempotencyKeyOf(request);
  const resumeAfter = sequenceOf(request.header("last-event-id"));
  const context: Writable<CallContext> = { version, dialect, extensions };
  if (principal !== undefined) context.principal = principal;
  if (host.auth !== undefined) {
    const { address, requestId } = credentials;
    if (address !== undefined) context.address = address;
    if (requestId !== undefined) context.requestId = requestId;
  }
  if (mount.tenant !== undefined) context.tenant = mount.tenant;
  if (request.signal !== undefined) context.signal = request.signal;
  if (traceparent !== undefined) {
    context.trace = { traceparent, ...(tracestate !== undefined && { tracestate }) };
  }
  if (idempotencyKey !== undefined) context.idempotencyKey = idempotencyKey;
  if (resumeAfter !== undefined) context.resumeAfter = resumeAfter;
  return context;
}

const noExtensions: readonly string[] = [];

function activate(
  request: HttpRequest,
  version: ProtocolVersion,
  declared: readonly AgentExtension[],
): readonly string[] {
  if (declared.length === 0) return noExtensions;
  const requested = requestedExtensions(version, (name) => request.header(name.toLowerCase()));
  return activateExtensions(requested, declared, version);
}

/** Tells the caller which of the extensions it asked for are active. */
export function extensionHeaders({ version, extensions = [] }: CallContext): HttpHeaders {
  if (extensions.length === 0) return {};
  return { [extensionHeader(version)]: formatExtensions(extensions) };
}

export function addExtensionHeaders(headers: HttpHeaders, call: CallContext): HttpHeaders {
  return call.extensions?.length ? { ...headers, ...extensionHeaders(call) } : headers;
}

/** A key is taken whole or not at all: cut short, two of them could be one. */
function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const key = request.header("idempotency-key");
  if (key === undefined || key.length <= maxIdempotencyKeyLength) return key || undefined;
  const message = `Idempotency-Key has more than ${maxIdempotencyKeyLength} characters`;
  throw new A2AError("INVALID_REQUEST", message);
}

function sequenceOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId)
    ? Number(lastEventId)
    : undefined;
}
