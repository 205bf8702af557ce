import { Metadata } from "@grpc/grpc-js";
import {
  createCallContext,
  RequestCredentials,
  unknownTenant,
  withoutMapping,
} from "../binding/internal.js";
import type {
  BindingOptions,
  Call,
  Connection,
  IncomingRequest,
  MountedAgent,
  MountTable,
  NamedAgent,
} from "../binding/internal.js";
import { A2AError } from "../protocol/internal.js";
import type { CallContext, LargeAnswer, Operation, PeerCertificate } from "../protocol/internal.js";
import { Cursor, detectGrpc, extensionHeader, formatExtensions } from "../wire/internal.js";
import type { GrpcVersion } from "../wire/internal.js";
import type { Binding } from "./binding.js";
import { decodeMessage } from "./wire-format.js";
import type { Decoded, MethodType } from "./wire-format.js";

/** The part of a call of grpc-js that unary and streaming calls share. */
export interface ServerCall {
  readonly metadata: Metadata;
  readonly request: Buffer;
  readonly cancelled: boolean;
  getPath(): string;
  getHost(): string;
  getPeer(): string;
  getAuthContext(): { readonly sslPeerCertificate?: PeerCertificate };
  sendMetadata(metadata: Metadata): void;
  on(event: "cancelled", listener: () => void): unknown;
  off(event: "cancelled", listener: () => void): unknown;
}

/** One call, and what its answer depends on. */
export interface Exchange {
  readonly call: ServerCall;
  readonly options: BindingOptions;
  readonly table: MountTable;
  readonly binding: Binding;
  readonly method: MethodType;
  /** The agent that the call is for, once its message has told. */
  agent?: MountedAgent;
}

/** Finds the agent that a call is for, authenticates the caller, and reads the context of the call. */
export async function openCall(
  exchange: Exchange,
  operation: Operation,
  signal: AbortSignal,
): Promise<Call> {
  const { call, options, table, binding, method } = exchange;
  const { strictVersion = false, limits, trustsProxy } = options;
  const { codec, version } = binding;
  const request = new GrpcRequest(call, signal);
  const named = request.header("a2a-version");
  const detected = detectGrpc({ path: call.getPath(), version: named, strictVersion });
  if ("error" in detected) throw detected.error;
  const message = decodeMessage(method.request, call.request, "PARSE_ERROR");
  const name = tenantIn(message);
  const { agent, tenant } = find(table, name, version);
  exchange.agent = agent;
  const { auth } = agent;
  const credentials = auth && new GrpcCredentials(request, trustsProxy);
  const principal = credentials && (await auth.authenticate(credentials));
  const { dialect } = codec;
  // To grpc-js a call is canceled once its answer has been read, too.
  const holdAnswer = ({ release }: LargeAnswer): void => {
    if (call.cancelled) release();
    else call.on("cancelled", release);
  };
  const context = createCallContext({
    request,
    agent,
    dialect,
    tenant,
    principal,
    credentials,
    holdAnswer,
  });
  const metadata = extensionMetadata(context);
  if (metadata !== undefined) call.sendMetadata(metadata);
  // The agent sees its own tenant, and not the name by which callers reach it here.
  const shown = tenant === name ? message : { ...message, tenant: tenant ?? "" };
  const cursor = new Cursor(limits === undefined ? {} : { limits });
  const params = binding.readRequest(operation, shown, cursor);
  return { agent, codec, context, params, cursor };
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

/** A call of grpc-js as the bindings see a request: its metadata are the headers. */
class GrpcRequest implements IncomingRequest {
  readonly signal: AbortSignal;
  readonly #call: ServerCall;

  constructor(call: ServerCall, signal: AbortSignal) {
    this.#call = call;
    this.signal = signal;
  }

  header(name: string): string | undefined {
    const values = this.#call.metadata.get(name);
    return values.length === 0 ? undefined : values.map(String).join(", ");
  }

  /** Reading the address and the certificate from the socket is slow, so each is read when it is needed. */
  get connection(): Connection {
    const call = this.#call;
    return {
      get address() {
        return addressOf(call.getPeer());
      },
      get certificate() {
        return call.getAuthContext().sslPeerCertificate;
      },
    };
  }
}

/** What a gRPC call shows of its caller. gRPC has no query: metadata of that name take its place. */
class GrpcCredentials extends RequestCredentials {
  override query(name: string): string | undefined {
    return this.request.header(name.toLowerCase());
  }
}

/** The address without its port, which grpc-js writes as `1.2.3.4:5` or `[::1]:5`. */
function addressOf(peer: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(peer) ?? [];
  return withoutMapping(bracketed ?? peer.replace(/:\d+$/, ""));
}
