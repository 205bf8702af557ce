import { Metadata } from "@grpc/grpc-js";
import { A2AError } from "../protocol/internal.js";
import type { CallContext } from "../protocol/internal.js";
import {
  activateExtensions,
  extensionHeader,
  formatExtensions,
  requestedExtensions,
} from "../wire/internal.js";
import { credentialsOf } from "./credentials.js";
import type { Binding } from "./binding.js";
import { lastEventId } from "./event-id.js";
import type { GrpcOptions, GrpcRequest } from "./grpc-options.js";
import type { FoundHost } from "./hosts.js";

const maxIdempotencyKeyLength = 256;

/** The context of a call: who, under which tenant, in which version, with which extensions. */
export async function createCallContext(
  request: GrpcRequest,
  { codec, version }: Binding,
  {
    found: { host, tenant },
    options,
    signal,
  }: {
    readonly found: FoundHost;
    readonly options: GrpcOptions;
    readonly signal: AbortSignal;
  },
): Promise<CallContext> {
  const { auth, declared } = host;
  const credentials = auth && credentialsOf(request, options);
  const principal = credentials && (await auth.authenticate(credentials));
  const requested = requestedExtensions(version, (name) => request.header(name.toLowerCase()));
  const traceparent = request.header("traceparent");
  const tracestate = request.header("tracestate");
  const idempotencyKey = idempotencyKeyOf(request);
  const { address, requestId } = credentials ?? {};
  const resumeAfter = sequenceOf(request.header(lastEventId));
  return {
    version,
    dialect: codec.dialect,
    extensions: activateExtensions(requested, declared, version),
    signal,
    ...(principal !== undefined && { principal }),
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { requestId }),
    ...(tenant !== undefined && { tenant }),
    ...(traceparent !== undefined && {
      trace: { traceparent, ...(tracestate !== undefined && { tracestate }) },
    }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(resumeAfter !== undefined && { resumeAfter }),
  };
}

/** Tells the caller which of the extensions it asked for are active. */
export function extensionMetadata({ version, extensions = [] }: CallContext): Metadata | undefined {
  if (extensions.length === 0) return undefined;
  const metadata = new Metadata();
  metadata.set(extensionHeader(version).toLowerCase(), formatExtensions(extensions));
  return metadata;
}

/** A key is taken whole or not at all: cut short, two of them could be one. */
function idempotencyKeyOf(request: GrpcRequest): string | undefined {
  const key = request.header("idempotency-key");
  if (key === undefined || key.length <= maxIdempotencyKeyLength) return key || undefined;
  const message = `idempotency-key has more than ${maxIdempotencyKeyLength} characters`;
  throw new A2AError("INVALID_REQUEST", message);
}

function sequenceOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
