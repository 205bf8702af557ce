import { ChannelCredentials, Client, Metadata, status as Status } from "@grpc/grpc-js";
import type { CallOptions, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import {
  checkSize,
  createPeerCursor,
  defaultMaxAnswerBytes,
  knownIds,
  learnIds,
  setCallHeaders,
  tellExtensions,
  tooLarge,
  unanswered,
  withExcerpt,
  withTenant,
} from "../binding/internal.js";
import type { PeerFiles, ReadLimit } from "../binding/internal.js";
import { A2AError, createService, eventIdUri, isStreaming } from "../protocol/internal.js";
import type {
  CallableService,
  CallContext,
  JsonObject,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/internal.js";
import { withTextFiles } from "../wire/internal.js";
import type { Cursor, GrpcVersion, KnownIds } from "../wire/internal.js";
import type { Binding } from "./binding.js";
import { decodeError } from "./error-map.js";
import { takeEventId } from "./events/event-id.js";
import { extensionBindings } from "./extensions/binding.js";
import { parseAddress } from "./parse-address.js";
import type { BareAddress } from "./parse-address.js";
import { binding as binding03 } from "./v0.3/binding.js";
import { binding as binding10 } from "./v1.0/binding.js";
import { decodeMessage } from "./wire-format.js";
import type { Decoded, MessageType, MethodType } from "./wire-format.js";
import { observeCall, tellEnd, textsOf } from "./wire-observer.js";
import type { WireCallObserver, WireObserver } from "./wire-observer.js";

/** Which gRPC server a transport calls, and how. */
export interface GrpcTransportOptions extends PeerFiles {
  /** `host:port`, as cards list it. A scheme says how to call: `https`, `grpcs`, `http` or `grpc`. */
  readonly address: string;
  readonly version: GrpcVersion;
  /** Replaces the credentials that follow from the address and from `bareAddress`. */
  readonly credentials?: ChannelCredentials;
  /**
   * How to call an address without a scheme. When absent it is called in plaintext, and headers and service
   * parameters, which may be secret, are not sent beyond this machine.
   */
  readonly bareAddress?: BareAddress;
  /** The tenant of the interface, sent in every request. */
  readonly tenant?: string;
  /** Metadata of every call, such as `authorization`. Service parameters of a call override it. */
  readonly headers?: () =>
    Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /** How long a unary call may take; no limit when absent. */
  readonly timeoutMs?: number;
  /** The most bytes that an answer may have, after decompression; 64 MiB when absent. */
  readonly maxAnswerBytes?: number;
  /** The most bytes that an event of a stream may have; `maxAnswerBytes` when absent. */
  readonly maxEventBytes?: number;
  /** Sees what goes over the wire, for tools that show it. */
  readonly observer?: WireObserver;
}

/** A remote agent, called over gRPC. */
export interface GrpcTransport extends CallableService, Disposable {
  close(): void;
}

const bindings: Readonly<Record<GrpcVersion, Binding>> = { "0.3": binding03, "1.0": binding10 };

/** Calls an agent over gRPC, in one version. */
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
  readonly json: JsonObject;
}

class Caller {
  readonly #options: GrpcTransportOptions;
  readonly #binding: Binding;
  readonly #methods: ReadonlyMap<Operation, string>;
  readonly #client: Client;
  readonly #answerLimit: ReadLimit;
  readonly #eventLimit: ReadLimit;
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
    const { maxAnswerBytes = defaultMaxAnswerBytes, maxEventBytes = maxAnswerBytes } = options;
    this.#answerLimit = { maxBytes: maxAnswerBytes, option: "maxAnswerBytes" };
    this.#eventLimit = { maxBytes: maxEventBytes, option: "maxEventBytes" };
    this.#client = new Client(host, options.credentials ?? credentials, {
      "grpc.max_receive_message_length": longest(maxAnswerBytes, maxEventBytes),
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
    const answer = decodeAnswer(prepared.method.response, bytes, this.#answerLimit);
    const json = operation === "callMethod" ? answer["result"] : answer;
    return understand(json, () => decode(json, createPeerCursor(this.#options), prepared.known));
  }

  async *stream<O extends StreamingOperation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): AsyncGenerator<StreamEvent, void, void> {
    const { signal } = call;
    const prepared = await this.#prepare(operation, request, call);
    const { path, method, bytes, metadata, known } = prepared;
    if (isAborted(signal)) throw this.#toError(undefined, operation, call);
    const stream: ClientReadableStream<Buffer> = this.#client.makeServerStreamRequest(
      path,
      same,
      same,
      bytes,
      metadata,
    );
    const cancel = (): void => stream.cancel();
    signal?.addEventListener("abort", cancel);
    const wire = this.#observe(prepared, (error) => stream.destroy(error));
    stream.on("metadata", (answered: Metadata) => {
      call.observer?.onActivity?.();
      wire?.onMetadata(textsOf(answered));
      this.#tellExtensions(answered, call);
    });
    let ids = known;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        const json = decodeAnswer(method.response, chunk, this.#eventLimit);
        await wire?.onMessage({ bytes: chunk, json });
        const before = ids;
        const response = understand(json, () =>
          this.#binding.codec.decodeEvent(json, createPeerCursor(this.#options), before),
        );
        ids = learnIds(ids, response);
        yield takeEventId(response);
      }
      wire?.onEnd(Status.OK, "");
    } catch (error) {
      tellEnd(wire, error);
      throw this.#toError(error, operation, call);
    } finally {
      wire?.onEnd(Status.CANCELLED, "the caller left");
      signal?.removeEventListener("abort", cancel);
      stream.on("error", () => {});
      stream.cancel();
    }
  }

  close(): void {
    this.#client.close();
  }

  #tellExtensions(answered: Metadata, call: CallContext): void {
    const header = (name: string): string => answered.get(name).join(",");
    tellExtensions(withoutEventIds(call), this.#options.version, header);
  }

  /** Tells the observer of a call, if there is one. */
  #observe(prepared: Prepared, cut: (error: Error) => void): WireCallObserver | undefined {
    const { observer, address } = this.#options;
    return observer && observeCall(observer, { ...prepared, address }, cut);
  }

  #exchange(prepared: Prepared, context: CallContext): Promise<Buffer> {
    const { operation, path, bytes, metadata, method } = prepared;
    const { timeoutMs } = this.#options;
    const { signal } = context;
    const options: CallOptions =
      timeoutMs === undefined ? {} : { deadline: Date.now() + timeoutMs };
    return new Promise((resolve, reject) => {
      if (isAborted(signal)) return reject(this.#toError(undefined, operation, context));
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
          if (error === null && value !== undefined) {
            void wire?.onMessage({ bytes: value, json: readAnswer(method.response, value) });
            wire?.onEnd(Status.OK, "");
            return resolve(value);
          }
          tellEnd(wire, error);
          reject(this.#toError(error, operation, context));
        },
      );
      const wire = this.#observe(prepared, cancel);
      signal?.addEventListener("abort", cancel);
      call.on("metadata", (answered: Metadata) => {
        wire?.onMetadata(textsOf(answered));
        this.#tellExtensions(answered, context);
      });
    });
  }

  /** The error of a call that has failed, or that its caller has aborted. */
  #toError(error: unknown, operation: Operation, call: CallContext): A2AError {
    const { address } = this.#options;
    if (A2AError.is(error)) return error;
    if (isAborted(call.signal)) return unanswered(address, call.signal?.reason, call);
    const isStatus = error instanceof Error && "code" in error && typeof error.code === "number";
    if (!isStatus) return A2AError.from(error);
    const status = error as ServiceError;
    if (status.code === (Status.RESOURCE_EXHAUSTED as number) && isTooLong.test(status.details)) {
      return tooLarge(isStreaming(operation) ? this.#eventLimit : this.#answerLimit);
    }
    return decodeError(status, operation, address);
  }

  async #prepare<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): Promise<Prepared> {
    const isMethod = operation === "callMethod";
    const binding = isMethod ? extensionBindings[this.#options.version] : this.#binding;
    const { service, codec, writeRequest } = binding;
    const name = isMethod ? "CallMethod" : this.#methods.get(operation);
    const method = name === undefined ? undefined : service.methods[name];
    if (name === undefined || method === undefined) {
      const message = `version ${codec.version} has no operation ${operation} over gRPC`;
      throw new A2AError("UNSUPPORTED_OPERATION", message);
    }
    const encode = codec.encodeRequest[operation] as (request: RequestOf<O>) => JsonObject;
    const { fileBytes, tenant } = this.#options;
    const hasText = fileBytes === "base64" && codec.dialect === "0.3-proto";
    const told = hasText ? withTextFiles(request) : request;
    const json = writeRequest(operation, encode(withTenant(told, tenant)));
    return {
      operation,
      path: `/${service.name}/${name}`,
      method,
      bytes: method.request.encode(json),
      metadata: await this.#metadata(call),
      known: knownIds(request),
      json,
    };
  }

  async #metadata(call: CallContext): Promise<Metadata> {
    const { version, headers, address } = this.#options;
    const hasOwn = headers !== undefined || Object.keys(call.serviceParameters ?? {}).length > 0;
    if (hasOwn && !this.#isTrusted) throw unprotected(address);
    const metadata = new Metadata();
    const set = (name: string, value: string): void => metadata.set(name, value);
    for (const [name, value] of Object.entries((await headers?.()) ?? {})) set(name, value);
    setCallHeaders(set, withEventIds(call), version);
    return metadata;
  }
}

/** An answer for an observer, which must not fail the call. */
function readAnswer(type: MessageType, bytes: Buffer): unknown {
  try {
    return decodeMessage(type, bytes, { code: "INVALID_AGENT_RESPONSE", maxElements: Infinity });
  } catch {
    return {};
  }
}

/** Asks the agent to number its events, so that a stream can resume. */
function withEventIds(call: CallContext): CallContext {
  return { ...call, extensions: [...(call.extensions ?? []), eventIdUri] };
}

/** Hides from the observer that events are numbered, unless the caller has asked for it. */
function withoutEventIds(call: CallContext): CallContext {
  const { observer, extensions = [] } = call;
  if (observer?.onExtensions === undefined || extensions.includes(eventIdUri)) return call;
  const onExtensions = (uris: readonly string[]): void =>
    observer.onExtensions?.(uris.filter((uri) => uri !== eventIdUri));
  return { ...call, observer: { onExtensions } };
}

function methodsOf({ operations }: Binding): ReadonlyMap<Operation, string> {
  return new Map(Object.entries(operations).map(([name, operation]) => [operation, name] as const));
}

/** An answer may have one element for so many bytes of its limit, as over HTTP: each takes far more memory than bytes. */
const bytesPerElement = 16;

/** How messages of `@grpc/grpc-js` begin for an answer that is longer than it admits, or becomes so when decompressed. */
const isTooLong = /^Received message (?:larger|that decompresses to a size larger) than/;

/** The longest message that grpc-js has to admit; -1 is any. */
function longest(...lengths: readonly number[]): number {
  const length = Math.max(...lengths);
  return length < Infinity ? length : -1;
}

function decodeAnswer(type: MessageType, bytes: Buffer, limit: ReadLimit): Decoded {
  checkSize(bytes.length, limit);
  return decodeMessage(type, bytes, {
    code: "INVALID_AGENT_RESPONSE",
    maxElements: limit.maxBytes / bytesPerElement,
  });
}

/** Reads an answer. An error that says that it is not A2A gets the beginning of its JSON form. */
function understand<T>(json: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw withExcerpt(error, JSON.stringify(json) ?? "");
  }
}

/** A function, so that TypeScript does not take the first answer for granted: it changes during a wait. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function unprotected(address: string): A2AError {
  const message =
    `credentials and headers are not sent to ${address}, since nothing says that plaintext is intended: let ` +
    `the card say grpcs://${address} (TLS) or grpc://${address} (plaintext), or give ChannelCredentials`;
  return new A2AError("PERMISSION_DENIED", message);
}

/** Stands for a (de)serializer: messages stay bytes. */
function same(bytes: Buffer): Buffer {
  return bytes;
}
