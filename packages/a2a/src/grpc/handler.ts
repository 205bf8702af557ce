import { Metadata } from "@grpc/grpc-js";
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Server,
  ServerWritableStream,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { byTurn } from "../async/internal.js";
import {
  failureOf,
  invoke,
  invokeExtendedCard,
  MountTable,
  openStream,
} from "../binding/internal.js";
import type { BindingOptions, Call, MountedAgent } from "../binding/internal.js";
import { A2AError, eventIdExtension, eventIdUri, isStreaming } from "../protocol/internal.js";
import type {
  AgentInterface,
  EventIterator,
  JsonObject,
  JsonValue,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/internal.js";
import { grpcMethodAliases } from "../wire/internal.js";
import type { Binding } from "./binding.js";
import { encodeError } from "./error-map.js";
import type { StatusAnswer } from "./error-map.js";
import { createEventEncoder } from "./event-encoder.js";
import { lastEventId } from "./event-id.js";
import { openCall } from "./exchange.js";
import type { Exchange, ServerCall } from "./exchange.js";
import { serviceDefinition } from "./service-definition.js";
import { binding as binding03 } from "./v0.3/binding.js";
import { binding as binding10 } from "./v1.0/binding.js";
import type { MethodType } from "./wire-format.js";

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
    this.#table.checkNames();
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
        const exchange = this.#exchange(call, binding, method);
        this.#await(call, (signal) => this.#answer(exchange, operation, signal)).then(
          (bytes) => respond(null, bytes),
          (error: unknown) => respond(this.#refuse(error, exchange)),
        );
      });
  }

  #exchange(call: ServerCall, binding: Binding, method: MethodType): Exchange {
    return { call, options: this.#options, table: this.#table, binding, method };
  }

  async #answer(
    exchange: Exchange,
    operation: UnaryOperation,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const call = await openCall(exchange, operation, signal);
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
        const exchange = this.#exchange(call, binding, method);
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
    const call = await openCall(exchange, operation, signal);
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
}

/** Ends the wait for an answer. Emptied when the call is answered, since a `Set` may keep it for longer. */
interface Wait {
  end: (() => void) | undefined;
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

/** Asks the agent for its extended card. */
async function answerExtendedCard(exchange: Exchange, call: Call): Promise<JsonValue> {
  const { agent, codec } = call;
  const url = exchange.call.getHost();
  const card = await invokeExtendedCard(call, () => interfacesAt(url, agent));
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
