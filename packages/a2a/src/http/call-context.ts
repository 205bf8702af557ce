import type { AgentExtension, CallContext, ProtocolVersion } from "../protocol/index.js";
import {
  activateExtensions,
  extensionHeader,
  formatExtensions,
  requestedExtensions,
} from "../wire/index.js";
import type { Dialect } from "../wire/index.js";
import { versionOf } from "../wire/index.js";
import type { HttpOptions, Mount } from "./hosted-agent.js";
import type { HttpHeaders, HttpRequest } from "./http-message.js";

const maxIdempotencyKeyLength = 256;

/** The context of a call: who, under which tenant, in which dialect, with which extensions. */
export async function createCallContext(
  request: HttpRequest,
  dialect: Dialect,
  {
    mount,
    options,
    declared,
  }: {
    readonly mount: Mount;
    readonly options: HttpOptions;
    readonly declared: readonly AgentExtension[];
  },
): Promise<CallContext> {
  const version = versionOf(dialect);
  const principal = await options.authenticate?.(request);
  const extensions = activate(request, version, declared);
  const traceparent = request.header("traceparent");
  const tracestate = request.header("tracestate");
  const idempotencyKey = request.header("idempotency-key")?.slice(0, maxIdempotencyKeyLength);
  const resumeAfter = sequenceOf(request.header("last-event-id"));
  return {
    version,
    dialect,
    extensions,
    ...(principal !== undefined && { principal }),
    ...(mount.tenant !== undefined && { tenant: mount.tenant }),
    ...(request.signal !== undefined && { signal: request.signal }),
    ...(traceparent !== undefined && {
      trace: { traceparent, ...(tracestate !== undefined && { tracestate }) },
    }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(resumeAfter !== undefined && { resumeAfter }),
  };
}

function activate(
  request: HttpRequest,
  version: ProtocolVersion,
  declared: readonly AgentExtension[],
): readonly string[] {
  const requested = requestedExtensions(version, (name) => request.header(name.toLowerCase()));
  return activateExtensions(requested, declared, version);
}

/** Tells the caller which of the extensions it asked for are active. */
export function extensionHeaders({ version, extensions = [] }: CallContext): HttpHeaders {
  if (extensions.length === 0) return {};
  return { [extensionHeader(version)]: formatExtensions(extensions) };
}

function sequenceOf(lastEventId: string | undefined): number | undefined {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId)
    ? Number(lastEventId)
    : undefined;
}
