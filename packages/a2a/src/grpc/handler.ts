import { Metadata } from "@grpc/grpc-js";
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Server,
  ServerWritableStream,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import {
  byTurn,
  createCallContext,
  failureOf,
  invoke,
  invokeExtendedCard,
  MountTable,
  openStream,
  unknownTenant,
} from "../binding/internal.js";
import type { BindingOptions, Call, MountedAgent, NamedAgent } from "../binding/internal.js";
import { A2AError, eventIdExtension, eventIdUri, isStreaming } from "../protocol/internal.js";
import type {
  AgentInterface,
  CallContext,
  EventIterator,
  JsonObject,
  Operation,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/internal.js";
import {
  Cursor,
  detectGrpc,
  extensionHeader,
  formatExtensions,
  grpcMethodAliases,
} from "../wire/internal.js";
import type { GrpcVersion } from "../wire/internal.js";
import type { Binding } from "./binding.js";
import { decodeMessage } from "./decode-message.js";
import { encodeError } from "./error-map.js";
import type { StatusAnswer } from "./error-map.js";
import { createEventEncoder } from "./event-encoder.js";
import { lastEventId } from "./event-id.js";
import { GrpcCredentials, GrpcRequest } from "./grpc-request.js";
import type { ServerCall } from "./grpc-request.js";
import { serviceDefinition } from "./service-definition.js";
import { binding as binding03 } from "./v0.3/binding.js";
import { binding as binding10 } from "./v1.0/binding.js";
import type { Decoded, MethodType } from "./wire-format.js";

/** Serves the operations of agents in both versions that have gRPC. */
export class GrpcHandler {
  readonly #options: BindingOptions;
  readonly #table: MountTable;
  /** The calls under way, which end when the server stops. */
  readonly #waits = new Set<Wait>();
  #isStopping = false;

  constructor(options: BindingOptions) {
    const { mounts, auth } = options;
    this.#options = options;
    this.#table = new MountTable({ mounts, auth, provided: [eventIdExtension] });
  }

  /** Adds both services to a server. */
  register(server: Server): void {
    for (const binding of [binding10, binding03]) {
      const aliases = binding === binding03 ? grpcMethodAliases : {};
      const definition = serviceDefinition(binding.service, aliases);
      server.addService(definition, this.#implement(binding, aliases));
    }
  }

  /** Ends every wait and every stream, and from now on each new one at once: callers are told to try again. */
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

  #unary(
    binding: Binding,
    method: MethodType,
    operation: UnaryOperation,
  ): handleUnaryCall<Buffer, Buffer> {
    return (call, respond) =>
      byTurn(() => {
        const exchange: Exchange = { call, binding, method };
        this.#await(call, (signal) => this.#answer(exchange, operation, signal)).then(
          (bytes) => respond(null, bytes),
          (error: unknown) => respond(this.#refuse(error, exchange)),
        );
      });
  }

  async #answer(
    exchange: Exchange,
    operation: UnaryOperation,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const call = await this.#open(exchange, operation, signal);
    const result = await (operation === "getExtendedAgentCard"
      ? answerExtendedCard(exchange, call)
      : invoke(call, operation));
    return exchange.method.response.encode((result ?? {}) as JsonObject);
  }

  #stream(
    binding: Binding,
    method: MethodType,
    operation: StreamingOperation,
  ): handleServerStreamingCall<Buffer, Buffer> {
    return (call) =>
      byTurn(() => {
        const exchange: Exchange = { call, binding, method };
        this.#await(call, (signal) => this.#send(call, exchange, operation, signal)).then(
          (trailers) => call.end(trailers),
          (error: unknown) => call.emit("error", this.#refuse(error, exchange)),
        );
      });
  }

  /** Sends the events of a stream as fast as the caller reads them. Resolves to the trailers. */
  async #send(
    writable: ServerWritableStream<Buffer, Buffer>,
    exchange: Exchange,
    operation: StreamingOperation,
    signal: AbortSignal,
  ): Promise<Metadata> {
    const { binding, method } = exchange;
    const call = await this.#open(exchange, operation, signal);
    const encode = createEventEncoder(binding, {
      operation,
      message: method.response,
      hasEventIds: call.context.extensions?.includes(eventIdUri) === true,
    });
    let last: number | undefined;
    const opened = await openStream(call, operation);
    const events: EventIterator = opened.events[Symbol.asyncIterator]();
    try {
      for (;;) {
        // An event that is there already is taken without waiting.
        let event = events.take?.();
        if (event === undefined) {
          const next = await events.next();
          if (next.done === true) break;
          event = next.value;
        }
        if (signal.aborted) break;
        last = event.sequence ?? last;
        if (!writable.write(encode(event))) await untilDrained(writable, signal);
      }
    } finally {
      await events.return?.();
    }
    if (signal.aborted) throw new A2AError("UNAVAILABLE", "the stream was left while work goes on");
    const trailers = new Metadata();
    if (last !== undefined) trailers.set(lastEventId, String(last));
    return trailers;
  }

  #refuse(error: unknown, { binding, agent }: Exchange): StatusAnswer {
    const failure = failureOf(error, agent === undefined ? [] : [agent], this.#options);
    return encodeError(failure, binding.version);
  }

  /** Does some work with a signal that aborts when the caller goes away, its deadline passes or the server stops. */
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
      // To grpc-js a call that was answered is canceled, too.
      call.off("cancelled", end);
      this.#waits.delete(wait);
      wait.end = undefined;
    }
  }

  /** Finds the agent that a call is for, authenticates the caller, and reads the context of the call. */
  async #open(exchange: Exchange, operation: Operation, signal: AbortSignal): Promise<Call> {
    const { call, binding, method } = exchange;
    const { strictVersion = false, limits, trustsProxy } = this.#options;
    const { codec } = binding;
    const request = new GrpcRequest(call, signal);
    const version = request.header("a2a-version");
    const detected = detectGrpc({ path: call.getPath(), version, strictVersion });
    if ("error" in detected) throw detected.error;
    const message = decodeMessage(method.request, call.request, "PARSE_ERROR");
    const name = tenantIn(message);
    const { agent, tenant } = this.#find(name, binding.version);
    exchange.agent = agent;
    const { auth } = agent;
    const credentials = auth && new GrpcCredentials(request, trustsProxy);
    const principal = credentials && (await auth.authenticate(credentials));
    const { dialect } = codec;
    const source = { request, agent, dialect, tenant, principal, credentials };
    const context = createCallContext(source);
    const metadata = extensionMetadata(context);
    if (metadata !== undefined) call.sendMetadata(metadata);
    // The agent sees its own tenant, and not the name by which callers reach it here.
    const shown = tenant === name ? message : { ...message, tenant: tenant ?? "" };
    const cursor = new Cursor(limits === undefined ? {} : { limits });
    const params = binding.readRequest(operation, shown, cursor);
    return { agent, codec, context, params, cursor };
  }

  #find(name: string | undefined, version: GrpcVersion): NamedAgent {
    const found = this.#table.named(name);
    if (found !== undefined) return found;
    throw version === "1.0" ? unknownTenant(name) : unnameable();
  }
}

async function answerExtendedCard({ call }: Exchange, opened: Call): Promise<unknown> {
  const { agent, codec } = opened;
  const card = await invokeExtendedCard(opened, () => interfacesAt(call.getHost(), agent));
  return codec.encodeResult.getExtendedAgentCard(card, {});
}

/** The versions at which an agent is reached at an address. Callers before 1.0 cannot name an agent. */
function interfacesAt(url: string, { name, isDefault }: MountedAgent): readonly AgentInterface[] {
  const versions = isDefault ? ["1.0", "0.3", "0.2"] : ["1.0"];
  return versions.map((protocolVersion) => ({
    url,
    protocolBinding: "GRPC",
    protocolVersion,
    ...(name !== undefined && { tenant: name }),
  }));
}

/** The tenant that a message names; before 1.0 no message does. */
function tenantIn({ tenant }: Decoded): string | undefined {
  return typeof tenant === "string" && tenant !== "" ? tenant : undefined;
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

/** Ends the wait for an answer. Emptied when the call is answered, since a `Set` may keep it for longer. */
interface Wait {
  end: (() => void) | undefined;
}

/** One call, and what its answer depends on. */
interface Exchange {
  readonly call: ServerCall;
  readonly binding: Binding;
  readonly method: MethodType;
  /** The agent that the call is for, once its message has told. */
  agent?: MountedAgent;
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
