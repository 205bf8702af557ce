import { ChannelCredentials, Client, Metadata } from "@grpc/grpc-js";
import type { CallOptions, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { A2AError, createService, eventIdUri, operations } from "../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  JsonObject,
  Limits,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/internal.js";
import {
  Cursor,
  formatExtensions,
  requestedExtensions,
  requestExtensionHeaders,
} from "../wire/internal.js";
import type { GrpcVersion, KnownIds } from "../wire/internal.js";
import type { Binding } from "./binding.js";
import { decodeServiceError } from "./error-details.js";
import { lastEventId, takeEventId } from "./event-id.js";
import { parseAddress } from "./parse-address.js";
import type { BareAddress } from "./parse-address.js";
import { same } from "./service-definition.js";
import { binding as binding03 } from "./v0.3/binding.js";
import { binding as binding10 } from "./v1.0/binding.js";
import { WireFormatError } from "./wire-format.js";
import type { MessageType, MethodType } from "./wire-format.js";

/** Which gRPC server a transport calls, and how. */
export interface GrpcTransportOptions {
  /** `host:port`, as cards list it; `https://`, `grpcs://` and their plain forms say how to speak. */
  readonly address: string;
  readonly version: GrpcVersion;
  /** By what the address says, else by `bareAddress`. These decide, whatever both say. */
  readonly credentials?: ChannelCredentials;
  /**
   * How to speak to an address without a scheme. When absent it is plaintext, and neither headers nor
   * service parameters, which may be secret, are sent beyond this machine.
   */
  readonly bareAddress?: BareAddress;
  /** The interface's tenant, echoed in every request. */
  readonly tenant?: string;
  /** Metadata of every call, such as `authorization`. */
  readonly headers?: () =>
    Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** How long an answer may take that is not a stream. No limit when absent. */
  readonly timeoutMs?: number;
  /** Bytes of one answer. */
  readonly maxAnswerBytes?: number;
}

/** Someone else's agent, reached over gRPC. */
export interface GrpcTransport extends AgentService, Disposable {
  close(): void;
}

const bindings: Readonly<Record<GrpcVersion, Binding>> = { "0.3": binding03, "1.0": binding10 };

/** An agent as a service: every method is a call to the server at the address. */
export function createGrpcTransport(options: GrpcTransportOptions): GrpcTransport {
  const caller = new Caller(options);
  const service = createService(
    (operation, request, call) => caller.call(operation, request, call),
    (operation, request, call) => caller.stream(operation, request, call),
  );
  return {
    ...service,
    close: () => caller.close(),
    [Symbol.dispose]: () => caller.close(),
  };
}

interface Prepared {
  readonly operation: Operation;
  readonly path: string;
  readonly method: MethodType;
  readonly bytes: Buffer;
  readonly metadata: Metadata;
  readonly known: KnownIds;
}

class Caller {
  readonly #options: GrpcTransportOptions;
  readonly #binding: Binding;
  readonly #methods: ReadonlyMap<Operation, string>;
  readonly #client: Client;
  readonly #isTrusted: boolean;

  constructor(options: GrpcTransportOptions) {
    const { host, isSecure, isTrusted } = parseAddress(options.address, options.bareAddress);
    const credentials = isSecure
      ? ChannelCredentials.createSsl()
      : ChannelCredentials.createInsecure();
    this.#options = options;
    this.#isTrusted = isTrusted || options.credentials !== undefined;
    this.#binding = bindings[options.version];
    this.#methods = methodsOf(this.#binding);
    this.#client = new Client(host, options.credentials ?? credentials, {
      "grpc.max_receive_message_length": options.maxAnswerBytes ?? 64 * 1024 * 1024,
      "grpc.max_send_message_length": -1,
    });
  }

  async call<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): Promise<ResultOf<O>> {
    const prepared = await this.#prepare(operation, request, call);
    const bytes = await this.#exchange(prepared, call);
    const decode = this.#binding.codec.decodeResult[operation] as (
      json: unknown,
      cursor: Cursor,
      known: KnownIds,
    ) => ResultOf<O>;
    const json = decodeAnswer(prepared.method.response, bytes);
    return withText(json, () => decode(json, peerCursor(), prepared.known));
  }

  async *stream<O extends StreamingOperation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): AsyncGenerator<StreamEvent, void, void> {
    const { signal } = call;
    const { path, method, bytes, metadata, known } = await this.#prepare(operation, request, call);
    if (isAborted(signal)) throw abandoned();
    const stream: ClientReadableStream<Buffer> = this.#client.makeServerStreamRequest(
      path,
      same,
      same,
      bytes,
      metadata,
    );
    const cancel = (): void => stream.cancel();
    signal?.addEventListener("abort", cancel);
    stream.on("metadata", (answered: Metadata) => this.#tellExtensions(answered, call));
    let ids = known;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        const json = decodeAnswer(method.response, chunk);
        const before = ids;
        const response = withText(json, () =>
          this.#binding.codec.decodeEvent(json, peerCursor(), before),
        );
        ids = { ...ids, ...idsOf(response) };
        yield takeEventId(response);
      }
    } catch (error) {
      throw isAborted(signal) ? abandoned() : toError(error, operation, this.#options.address);
    } finally {
      signal?.removeEventListener("abort", cancel);
      stream.on("error", () => {});
      stream.cancel();
    }
  }

  close(): void {
    this.#client.close();
  }

  /** The extensions that the agent has activated; that for event ids is this transport's own affair. */
  #tellExtensions(answered: Metadata, { observer, extensions = [] }: CallContext): void {
    const activated = requestedExtensions(this.#options.version, (name) =>
      answered.get(name).join(","),
    );
    observer?.onExtensions?.(
      activated.filter((uri) => uri !== eventIdUri || extensions.includes(uri)),
    );
  }

  #exchange({ operation, path, bytes, metadata }: Prepared, context: CallContext): Promise<Buffer> {
    const { timeoutMs } = this.#options;
    const { signal } = context;
    const options: CallOptions =
      timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
    return new Promise((resolve, reject) => {
      if (isAborted(signal)) return reject(abandoned());
      const cancel = (): void => call.cancel();
      const call = this.#client.makeUnaryRequest(
        path,
        same,
        same,
        bytes,
        metadata,
        options,
        (error: ServiceError | null, value?: Buffer) => {
          signal?.removeEventListener("abort", cancel);
          if (error === null && value !== undefined) resolve(value);
          else
            reject(
              isAborted(signal) ? abandoned() : toError(error, operation, this.#options.address),
            );
        },
      );
      signal?.addEventListener("abort", cancel);
      call.on("metadata", (answered: Metadata) => this.#tellExtensions(answered, context));
    });
  }

  async #prepare<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): Promise<Prepared> {
    const { service, codec, writeRequest } = this.#binding;
    const name = this.#methods.get(operation);
    const method = name === undefined ? undefined : service.methods[name];
    if (name === undefined || method === undefined) {
      const message = `${codec.version} has no ${operation} over gRPC`;
      throw new A2AError("UNSUPPORTED_OPERATION", message);
    }
    const encode = codec.encodeRequest[operation] as (request: RequestOf<O>) => JsonObject;
    const json = writeRequest(
      operation,
      encode(withTenant(request, this.#options.tenant ?? call.tenant)),
    );
    return {
      operation,
      path: `/${service.name}/${name}`,
      method,
      bytes: method.request.encode(json),
      metadata: await this.#metadata(call),
      known: knownIds(request),
    };
  }

  async #metadata(call: CallContext): Promise<Metadata> {
    const { version, headers, address } = this.#options;
    const hasOwn = headers !== undefined || Object.keys(call.serviceParameters ?? {}).length > 0;
    if (hasOwn && !this.#isTrusted) throw unprotected(address);
    const metadata = new Metadata();
    // First, so that none of them replaces what the protocol sets.
    for (const [name, value] of Object.entries(call.serviceParameters ?? {})) {
      metadata.set(name, value);
    }
    const set = (name: string, value: string | undefined): void => {
      if (value !== undefined) metadata.set(name, value);
    };
    set("a2a-version", version);
    const extensions = formatExtensions([...(call.extensions ?? []), eventIdUri]);
    for (const name of requestExtensionHeaders(version)) set(name.toLowerCase(), extensions);
    set("traceparent", call.trace?.traceparent);
    set("tracestate", call.trace?.tracestate);
    set("idempotency-key", call.idempotencyKey);
    set(lastEventId, call.resumeAfter === undefined ? undefined : String(call.resumeAfter));
    for (const [name, value] of Object.entries((await headers?.()) ?? {})) set(name, value);
    return metadata;
  }
}

function methodsOf({ operations: byMethod }: Binding): ReadonlyMap<Operation, string> {
  const entries = Object.entries(byMethod).map(([name, operation]) => [operation, name] as const);
  return new Map(entries.filter(([operation]) => operations.includes(operation)));
}

/** The tenant of the interface or the call, where the request names none. */
function withTenant<T extends object>(request: T, tenant: string | undefined): T {
  return tenant === undefined || "tenant" in request ? request : { ...request, tenant };
}

function knownIds(request: object): KnownIds {
  const { message, id } = request as { message?: KnownIds; id?: string };
  const { taskId, contextId } = message ?? { taskId: id };
  return { ...(taskId !== undefined && { taskId }), ...(contextId !== undefined && { contextId }) };
}

function idsOf({ task }: StreamEvent["response"]): KnownIds {
  if (task === undefined) return {};
  return { taskId: task.id, ...(task.contextId !== undefined && { contextId: task.contextId }) };
}

function decodeAnswer(type: MessageType, bytes: Buffer): unknown {
  try {
    return type.decode(bytes);
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    throw new A2AError("INVALID_AGENT_RESPONSE", error.message, { cause: error });
  }
}

const excerptLength = 2000;

/** Reads an answer. The beginning of its JSON form goes with the error when it cannot be understood. */
function withText<T>(json: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!A2AError.is(error)) throw error;
    const { code, message, details, cause } = error;
    const body = (JSON.stringify(json) ?? "").slice(0, excerptLength).toWellFormed();
    throw new A2AError(code, message, {
      details: { ...details, metadata: { ...details.metadata, body } },
      cause,
    });
  }
}

/** What is read from peers is bounded by the size of an answer, not by the limits for callers. */
const peerLimits: Limits = {
  maxBodyBytes: Number.MAX_SAFE_INTEGER,
  maxParts: Number.MAX_SAFE_INTEGER,
  maxJsonDepth: 500,
  maxIdLength: 4096,
};

function peerCursor(): Cursor {
  return new Cursor({ code: "INVALID_AGENT_RESPONSE", limits: peerLimits });
}

function toError(error: unknown, operation: Operation, address: string): A2AError {
  const isStatus = error instanceof Error && "code" in error && typeof error.code === "number";
  return isStatus && !A2AError.is(error)
    ? decodeServiceError(error as ServiceError, operation, address)
    : A2AError.from(error);
}

/** Asked anew each time: it changes while others work. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function unprotected(address: string): A2AError {
  const message =
    `credentials and headers are not sent to ${address} in plaintext unless that is meant: have the ` +
    `card say grpcs://${address} (TLS) or grpc://${address} (plaintext), or give ChannelCredentials`;
  return new A2AError("PERMISSION_DENIED", message);
}

function abandoned(): A2AError {
  return new A2AError("UNAVAILABLE", "the call was given up; its task goes on");
}
