import { Metadata } from "@grpc/grpc-js";
import {
  createCallContext,
  fileBytesOf,
  tellTextFiles,
  unknownTenant,
} from "../binding/internal.js";
import type {
  BindingOptions,
  Call,
  MountedAgent,
  MountTable,
  NamedAgent,
} from "../binding/internal.js";
import { A2AError, defaultLimits } from "../protocol/internal.js";
import type { CallContext, LargeAnswer, Operation } from "../protocol/internal.js";
import { Cursor, detectGrpc, extensionHeader, formatExtensions } from "../wire/internal.js";
import type { GrpcVersion } from "../wire/internal.js";
import type { Admission, Admitted } from "./admission.js";
import type { Binding } from "./binding.js";
import { GrpcCredentials, GrpcRequest } from "./credentials.js";
import type { ServerCall } from "./http2/server-call.js";
import { decodeMessage, peekString } from "./wire-format.js";
import type { Decoded, MethodType } from "./wire-format.js";

/** The options of a binding, and how many elements a message may have. */
export interface ExchangeOptions extends BindingOptions {
  readonly maxElements: number;
}

/** One call, and what its answer depends on. */
export interface Exchange {
  readonly call: ServerCall;
  readonly options: ExchangeOptions;
  readonly table: MountTable;
  readonly admission: Admission;
  readonly binding: Binding;
  readonly method: MethodType;
  /** The agent that the call is for, as far as that is known. */
  agent?: MountedAgent | undefined;
}

/** Authenticates the caller, reads the message, and finds the agent and the context of the call. */
export async function openCall(
  exchange: Exchange,
  operation: Operation,
  signal: AbortSignal,
): Promise<Call> {
  const { call, options, table, admission, binding } = exchange;
  const {
    strict = false,
    limits = defaultLimits,
    trustsProxy,
    trustTraceparent,
    fileBytes,
  } = options;
  const { codec, version } = binding;
  const request = new GrpcRequest(call, signal);
  const credentials = new GrpcCredentials(request, trustsProxy);
  const admitted = await admit(exchange, credentials);
  const named = request.header("a2a-version");
  const detected = detectGrpc({ path: call.path, version: named, strict });
  if ("error" in detected) throw detected.error;
  const message = await readRequest(exchange);
  const name = tenantIn(message);
  const { agent, tenant } = find(table, name, version);
  exchange.agent = agent;
  const isAdmitted = agent.auth === admitted.auth;
  const { principal } = isAdmitted ? admitted : await admission.admit(agent, credentials);
  const { dialect } = codec;
  const holdAnswer = ({ release }: LargeAnswer): void => call.whenClosed(release);
  const context = createCallContext({
    request,
    agent,
    dialect,
    binding: "GRPC",
    tenant,
    principal,
    credentials,
    trustsProxy,
    trustTraceparent,
    holdAnswer,
  });
  call.metadata = extensionMetadata(context);
  // The agent sees its own tenant, and not the name by which callers reach it here.
  const shown = tenant === name ? message : { ...message, tenant: tenant ?? "" };
  const textFiles =
    version === "0.3" && fileBytesOf(fileBytes, request.header("user-agent")) === "base64";
  const cursor = new Cursor({ limits, strict, textFiles });
  const params = binding.readRequest(operation, shown, cursor);
  const told = textFiles ? { ...agent, service: tellTextFiles(agent.service) } : agent;
  return { agent: told, codec, context, params, cursor };
}

/**
 * Admits the caller before its message is read. Where agents differ in their callers, the first bytes of the message tell
 * which agent is meant; where they do not, the caller has to be one of some agent.
 */
async function admit(exchange: Exchange, credentials: GrpcCredentials): Promise<Admitted> {
  const { table, admission } = exchange;
  exchange.agent = admission.common ?? table.named(await peekTenant(exchange))?.agent;
  return exchange.agent === undefined
    ? admission.admitToAny(credentials)
    : admission.admit(exchange.agent, credentials);
}

async function peekTenant({ call, method }: Exchange): Promise<string | undefined> {
  if (method.tenantTag === undefined) return undefined;
  return peekString(await call.peek(), method.tenantTag) || undefined;
}

async function readRequest({ call, options, method }: Exchange): Promise<Decoded> {
  const { maxElements, limits = defaultLimits } = options;
  const message = await call.read(limits.maxBodyBytes, (bytes) =>
    decodeMessage(method.request, bytes, { code: "PARSE_ERROR", maxElements }),
  );
  if (message !== undefined) return message;
  throw new A2AError("PARSE_ERROR", `expected a ${method.request.name}: the call has no message`);
}

/** The tenant that a message names; before 1.0 no message does. */
function tenantIn({ tenant }: Decoded): string | undefined {
  return typeof tenant === "string" && tenant !== "" ? tenant : undefined;
}

function find(table: MountTable, name: string | undefined, version: GrpcVersion): NamedAgent {
  const found = table.named(name);
  if (found !== undefined) return found;
  throw version === "1.0" ? unknownTenant(name) : unnameable();
}

function unnameable(): A2AError {
  const message =
    "several agents are served here, and before 1.0 a call over gRPC cannot name one; " +
    "use 1.0, or another binding";
  return new A2AError("UNSUPPORTED_OPERATION", message);
}

/** Tells the caller which of the requested extensions are active. */
function extensionMetadata({ version, extensions = [] }: CallContext): Metadata | undefined {
  if (extensions.length === 0) return undefined;
  const metadata = new Metadata();
  metadata.set(extensionHeader(version).toLowerCase(), formatExtensions(extensions));
  return metadata;
}
