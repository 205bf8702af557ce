import { Metadata } from "@grpc/grpc-js";
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Server,
  ServerWritableStream,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { A2AError, eventIdUri, isStreaming } from "../protocol/internal.js";
import type {
  AgentCard,
  CallContext,
  EventIterator,
  JsonObject,
  Operation,
  PeerCertificate,
  RequestOf,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/internal.js";
import { detectGrpc, grpcMethodAliases } from "../wire/internal.js";
import type { Binding } from "./binding.js";
import { createCallContext, extensionMetadata } from "./call-context.js";
import { encodeStatus } from "./error-details.js";
import type { StatusAnswer } from "./error-details.js";
import { createEventEncoder } from "./event-encoder.js";
import { lastEventId } from "./event-id.js";
import type { GrpcOptions, GrpcRequest } from "./grpc-options.js";
import { declareIn, Hosts } from "./hosts.js";
import type { Host } from "./hosts.js";
import { decodeMessage, readRequest } from "./read-request.js";
import { serviceDefinition } from "./service-definition.js";
import { together } from "./together.js";
import { binding as binding03 } from "./v0.3/binding.js";
import { binding as binding10 } from "./v1.0/binding.js";
import type { Decoded, MethodType } from "./wire-format.js";

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

/** Serves the operations of agents in both versions that have gRPC. */
export class GrpcHandler {
  readonly #options: GrpcOptions;
  readonly #hosts: Hosts;
  /** The waits under way, which end when the server stops. */
  readonly #waits = new Set<Wait>();
  #isStopping = false;

  constructor(options: GrpcOptions) {
    this.#options = options;
    this.#hosts = new Hosts(options);
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
    return (call, respond) =>
      together(() => {
        const invocation: Invocation = { call, binding, method };
        this.#await(call, (signal) => this.#answer(invocation, operation, signal)).then(
          (bytes) => respond(null, bytes),
          (error: unknown) => respond(this.#refuse(error, invocation)),
        );
      });
  }

  async #answer<O extends UnaryOperation>(
    invocation: Invocation,
    operation: O,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const { call, binding, method } = invocation;
    const { host, context, request } = await this.#open(invocation, operation, signal);
    const { service } = host.agent;
    // TypeScript does not see that the request, the method and the encoder are of one operation.
    const invoke = service[operation] as (
      request: RequestOf<O>,
      call: CallContext,
    ) => Promise<never>;
    const encode = binding.codec.encodeResult[operation] as (
      result: never,
      request: RequestOf<O>,
    ) => JsonObject | null;
    const answer: never = await invoke.call(service, request, context);
    const isCard = operation === "getExtendedAgentCard";
    const result = isCard
      ? (declareIn(host.auth, this.#servedAt(call.getHost(), host, answer)) as never)
      : answer;
    return method.response.encode(encode(result, request) ?? {});
  }

  #stream(
    binding: Binding,
    method: MethodType,
    operation: StreamingOperation,
  ): handleServerStreamingCall<Buffer, Buffer> {
    return (call) =>
      together(() => {
        const invocation: Invocation = { call, binding, method };
        this.#await(call, (signal) => this.#send(call, { invocation, operation, signal })).then(
          (trailers) => call.end(trailers),
          (error: unknown) => call.emit("error", this.#refuse(error, invocation)),
        );
      });
  }

  /** Sends the events of a stream as fast as its caller reads them; answers with the trailers. */
  async #send(
    call: ServerWritableStream<Buffer, Buffer>,
    {
      invocation,
      operation,
      signal,
    }: {
      readonly invocation: Invocation;
      readonly operation: StreamingOperation;
      readonly signal: AbortSignal;
    },
  ): Promise<Metadata> {
    const { binding, method } = invocation;
    const { host, context, request } = await this.#open(invocation, operation, signal);
    const encode = createEventEncoder(binding, {
      operation,
      message: method.response,
      hasEventIds: context.extensions?.includes(eventIdUri) === true,
    });
    let last: number | undefined;
    const events = eventsOf(host, operation, request, context);
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

  #refuse(error: unknown, { binding, host }: Invocation): StatusAnswer {
    const { reportFailure = reportToConsole } = this.#options;
    const failure = A2AError.from(error);
    if (failure.code === "INTERNAL") reportFailure(failure.cause ?? failure);
    return encodeStatus(withChallenges(failure, host), binding.version);
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

  /** Reads what is asked, of which agent and by whom. */
  async #open<O extends Operation>(
    invocation: Invocation,
    operation: O,
    signal: AbortSignal,
  ): Promise<Opened<O>> {
    const { call, binding, method } = invocation;
    const options = this.#options;
    const { strictVersion = false, limits } = options;
    const request = requestOf(call);
    const version = request.header("a2a-version");
    const detected = detectGrpc({ path: request.path, version, strictVersion });
    if ("error" in detected) throw detected.error;
    const message = decodeMessage(call.request, method.request);
    const tenant = tenantIn(message);
    const found = this.#hosts.find(tenant, binding.version);
    invocation.host = found.host;
    const context = await createCallContext(request, binding, { found, options, signal });
    const metadata = extensionMetadata(context);
    if (metadata !== undefined) call.sendMetadata(metadata);
    // The agent is not told what it is called here.
    const told = found.tenant === tenant ? message : { ...message, tenant: found.tenant ?? "" };
    return {
      host: found.host,
      context,
      request: readRequest(told, operation, { binding, limits }),
    };
  }

  /** A card without interfaces is served where it was asked for, as it is over HTTP. */
  #servedAt(url: string, host: Host, card: AgentCard): AgentCard {
    if (card.supportedInterfaces.length > 0) return card;
    const { name: tenant } = host;
    const versions = this.#hosts.isMeantByDefault(host) ? ["1.0", "0.3", "0.2"] : ["1.0"];
    const supportedInterfaces = versions.map((protocolVersion) => ({
      url,
      protocolBinding: "GRPC",
      protocolVersion,
      ...(tenant !== undefined && { tenant }),
    }));
    return { ...card, supportedInterfaces };
  }
}

/** The tenant that a message names; before 1.0 none does. */
function tenantIn({ tenant }: Decoded): string | undefined {
  return typeof tenant === "string" && tenant !== "" ? tenant : undefined;
}

function eventsOf(
  { agent: { service } }: Host,
  operation: StreamingOperation,
  request: RequestOf<StreamingOperation>,
  call: CallContext,
): EventIterator {
  const events =
    operation === "sendStreamingMessage"
      ? service.sendStreamingMessage(request as RequestOf<"sendStreamingMessage">, call)
      : service.subscribeToTask(request as RequestOf<"subscribeToTask">, call);
  return events[Symbol.asyncIterator]();
}

/** Who is not known is told how to be. */
function withChallenges(failure: A2AError, host: Host | undefined): A2AError {
  const { code, message, details } = failure;
  const challenges = host?.auth?.challenges;
  if (code !== "UNAUTHENTICATED" || challenges === undefined) return failure;
  return new A2AError(code, message, { details: { challenges, ...details } });
}

function reportToConsole(error: unknown): void {
  console.error("a gRPC call failed:", error);
}

/** Lets go of its call when that is answered: a set may remember it for longer. */
interface Wait {
  end: (() => void) | undefined;
}

/** A call, and the agent that it is for, once that is known. */
interface Invocation {
  readonly call: ServerCall;
  readonly binding: Binding;
  readonly method: MethodType;
  host?: Host;
}

interface Opened<O extends Operation> {
  readonly host: Host;
  readonly context: CallContext;
  readonly request: RequestOf<O>;
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
