import { Metadata } from "@grpc/grpc-js";
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Server,
  ServerWritableStream,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { A2AError, eventIdExtension, eventIdUri, isStreaming } from "../protocol/index.js";
import type {
  AgentCard,
  AgentExtension,
  CallContext,
  EventIterator,
  JsonObject,
  PeerCertificate,
  RequestOf,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/index.js";
import { detectGrpc, grpcMethodAliases } from "../wire/index.js";
import type { Binding } from "./binding.js";
import { createCallContext, extensionMetadata } from "./call-context.js";
import { encodeStatus } from "./error-details.js";
import type { StatusAnswer } from "./error-details.js";
import { createEventEncoder } from "./event-encoder.js";
import { lastEventId } from "./event-id.js";
import type { GrpcOptions, GrpcRequest } from "./hosted-agent.js";
import { readRequest, withTenant } from "./read-request.js";
import { together } from "./together.js";
import { serviceDefinition } from "./service-definition.js";
import { binding as binding03 } from "./v0.3/binding.js";
import { binding as binding10 } from "./v1.0/binding.js";
import type { MethodType } from "./wire-format.js";

/** The part of a call of grpc-js that both kinds have. */
interface ServerCall {
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

/** Serves the operations of an agent in both versions that have gRPC. */
export class GrpcHandler {
  readonly #options: GrpcOptions;
  readonly #declared: readonly AgentExtension[];
  /** The waits under way, which end when the server stops. */
  readonly #waits = new Set<Wait>();
  #isStopping = false;

  constructor(options: GrpcOptions) {
    this.#options = options;
    const { extensions = [] } = this.#declareIn(options.agent.card([])).capabilities;
    this.#declared = extensions.some(({ uri }) => uri === eventIdUri)
      ? extensions
      : [...extensions, eventIdExtension];
  }

  /** Adds both services to a server. */
  register(server: Server): void {
    for (const binding of [binding10, binding03]) {
      const aliases = binding === binding03 ? grpcMethodAliases : {};
      const definition = serviceDefinition(binding.service, aliases);
      server.addService(definition, this.#implement(binding, aliases));
    }
  }

  /** Ends every wait and every stream, telling its caller to come back; from now on at once. */
  drain(): void {
    this.#isStopping = true;
    for (const wait of this.#waits) wait.end?.();
  }

  #implement(
    binding: Binding,
    aliases: Readonly<Record<string, string>>,
  ): UntypedServiceImplementation {
    const names = Object.entries({ ...sameNames(binding.operations), ...aliases });
    return Object.fromEntries(
      names.map(([alias, name]) => {
        const operation = binding.operations[name];
        const method = binding.service.methods[name];
        if (operation === undefined || method === undefined) {
          throw new Error(`${binding.service.name} has no ${name}`);
        }
        return [
          alias,
          isStreaming(operation)
            ? this.#stream(binding, method, operation)
            : this.#unary(binding, method, operation),
        ];
      }),
    );
  }

  #unary<O extends UnaryOperation>(
    binding: Binding,
    method: MethodType,
    operation: O,
  ): handleUnaryCall<Buffer, Buffer> {
    const answer = (call: ServerCall): Promise<Buffer> =>
      this.#await(call, (signal) => this.#answer(call, { binding, method, signal }, operation));
    return (call, respond) =>
      together(() => {
        answer(call).then(
          (bytes) => respond(null, bytes),
          (error: unknown) => respond(this.#refuse(error, binding)),
        );
      });
  }

  async #answer<O extends UnaryOperation>(
    call: ServerCall,
    { binding, method, signal }: Invocation,
    operation: O,
  ): Promise<Buffer> {
    const context = await this.#open(call, binding, signal);
    const { agent } = this.#options;
    const options = { binding, message: method.request, options: this.#options };
    const request = readRequest(call.request, operation, options);
    // TypeScript does not see that the request, the method and the encoder are of one operation.
    const invoke = agent.service[operation] as (
      request: RequestOf<O>,
      call: CallContext,
    ) => Promise<never>;
    const encode = binding.codec.encodeResult[operation] as (
      result: never,
      request: RequestOf<O>,
    ) => JsonObject | null;
    const answer: never = await invoke.call(agent.service, request, withTenant(context, request));
    const isCard = operation === "getExtendedAgentCard";
    const result = isCard ? (this.#declareIn(servedAt(call.getHost(), answer)) as never) : answer;
    return method.response.encode(encode(result, request) ?? {});
  }

  #declareIn(card: AgentCard): AgentCard {
    const { auth } = this.#options;
    return auth === undefined ? card : auth.declareIn(card);
  }

  #stream(
    binding: Binding,
    method: MethodType,
    operation: StreamingOperation,
  ): handleServerStreamingCall<Buffer, Buffer> {
    const send = (call: ServerWritableStream<Buffer, Buffer>): Promise<Metadata> =>
      this.#await(call, (signal) => this.#send(call, { binding, method, signal }, operation));
    return (call) =>
      together(() => {
        send(call).then(
          (trailers) => call.end(trailers),
          (error: unknown) => call.emit("error", this.#refuse(error, binding)),
        );
      });
  }

  /** Sends the events of a stream as fast as its caller reads them; answers with the trailers. */
  async #send(
    call: ServerWritableStream<Buffer, Buffer>,
    { binding, method, signal }: Invocation,
    operation: StreamingOperation,
  ): Promise<Metadata> {
    const context = await this.#open(call, binding, signal);
    const options = { binding, message: method.request, options: this.#options };
    const request = readRequest(call.request, operation, options);
    const encode = createEventEncoder(binding, {
      operation,
      message: method.response,
      hasEventIds: context.extensions?.includes(eventIdUri) === true,
    });
    let last: number | undefined;
    const events = this.#events(operation, request, context);
    try {
      for (;;) {
        // What is there already costs no wait.
        let event = events.take?.();
        if (event === undefined) {
          const next = await events.next();
          if (next.done === true) break;
          event = next.value;
        }
        if (signal.aborted) break;
        last = event.sequence ?? last;
        if (!call.write(encode(event))) await untilDrained(call, signal);
      }
    } finally {
      await events.return?.();
    }
    if (signal.aborted) throw new A2AError("UNAVAILABLE", "the stream was left while work goes on");
    const trailers = new Metadata();
    if (last !== undefined) trailers.set(lastEventId, String(last));
    return trailers;
  }

  #refuse(error: unknown, { version }: Binding): StatusAnswer {
    const { reportFailure = reportToConsole } = this.#options;
    const failure = A2AError.from(error);
    if (failure.code === "INTERNAL") reportFailure(failure.cause ?? failure);
    return encodeStatus(this.#withChallenges(failure), version);
  }

  /** Who is not known is told how to be. */
  #withChallenges(failure: A2AError): A2AError {
    const { code, message, details } = failure;
    const { challenges } = this.#options.auth ?? {};
    if (code !== "UNAUTHENTICATED" || challenges === undefined) return failure;
    return new A2AError(code, message, { details: { challenges, ...details } });
  }

  /** Does something that a caller who goes away, or whose deadline passes, no longer waits for. */
  async #await<T>(call: ServerCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const wait: Wait = { end: () => controller.abort() };
    const end = (): void => wait.end?.();
    if (this.#isStopping || call.cancelled) end();
    this.#waits.add(wait);
    call.on("cancelled", end);
    try {
      return await work(controller.signal);
    } finally {
      // A call that was answered is canceled, too, in the eyes of grpc-js.
      call.off("cancelled", end);
      this.#waits.delete(wait);
      wait.end = undefined;
    }
  }

  #events(
    operation: StreamingOperation,
    request: RequestOf<StreamingOperation>,
    context: CallContext,
  ): EventIterator {
    const { service } = this.#options.agent;
    const call = withTenant(context, request);
    const events =
      operation === "sendStreamingMessage"
        ? service.sendStreamingMessage(request as RequestOf<"sendStreamingMessage">, call)
        : service.subscribeToTask(request as RequestOf<"subscribeToTask">, call);
    return events[Symbol.asyncIterator]();
  }

  async #open(call: ServerCall, binding: Binding, signal: AbortSignal): Promise<CallContext> {
    const request = requestOf(call);
    const { strictVersion = false } = this.#options;
    const version = request.header("a2a-version");
    const detected = detectGrpc({ path: request.path, version, strictVersion });
    if ("error" in detected) throw detected.error;
    const settings = { options: this.#options, declared: this.#declared, signal };
    const context = await createCallContext(request, binding, settings);
    const metadata = extensionMetadata(context);
    if (metadata !== undefined) call.sendMetadata(metadata);
    return context;
  }
}

/** A card without interfaces is served where it was asked for, as it is over HTTP. */
function servedAt(url: string, card: AgentCard): AgentCard {
  if (card.supportedInterfaces.length > 0) return card;
  const versions = [binding10, binding03].map(({ version }) => version);
  const supportedInterfaces = versions.map((protocolVersion) => ({
    url,
    protocolBinding: "GRPC",
    protocolVersion,
  }));
  return { ...card, supportedInterfaces };
}

function reportToConsole(error: unknown): void {
  console.error("a gRPC call failed:", error);
}

/** Lets go of its call when that is answered: a set may remember it for longer. */
interface Wait {
  end: (() => void) | undefined;
}

interface Invocation {
  readonly binding: Binding;
  readonly method: MethodType;
  readonly signal: AbortSignal;
}

function requestOf(call: ServerCall): GrpcRequest {
  return {
    path: call.getPath(),
    // Asked of the socket, which is not for nothing.
    get peer() {
      return call.getPeer();
    },
    get certificate() {
      return call.getAuthContext().sslPeerCertificate;
    },
    header: (name) => {
      const values = call.metadata.get(name);
      return values.length === 0 ? undefined : values.map(String).join(", ");
    },
  };
}

/** Resolves once the caller has read what was written, or is gone. */
function untilDrained(
  call: ServerWritableStream<Buffer, Buffer>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      call.off("drain", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    if (signal.aborted) return resolve();
    call.on("drain", done);
    signal.addEventListener("abort", done);
  });
}

function sameNames(names: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, name]));
}
