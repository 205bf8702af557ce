import { byTurn, LightSignal } from "../async/internal.js";
import {
  failureOf,
  invoke,
  invokeExtendedCard,
  MountTable,
  openStream,
} from "../binding/internal.js";
import type { Call, MountedAgent } from "../binding/internal.js";
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
import { Admission } from "./admission.js";
import type { Binding } from "./binding.js";
import { GrpcCredentials, GrpcRequest } from "./credentials.js";
import { encodeError, statusOf } from "./error-map.js";
import { createEventEncoder } from "./events/event-encoder.js";
import { EventSender } from "./events/event-sender.js";
import { openCall } from "./exchange.js";
import type { Exchange, ExchangeOptions } from "./exchange.js";
import { extensionBindings } from "./extensions/binding.js";
import type { Method } from "./http2/open-http2-server.js";
import type { CallStatus, ServerCall } from "./http2/server-call.js";
import { StatusError } from "./http2/status-error.js";
import { binding as binding03 } from "./v0.3/binding.js";
import { binding as binding10 } from "./v1.0/binding.js";
import type { MethodType } from "./wire-format.js";

/** Serves the operations of agents in both versions that have gRPC, and the methods of their extensions. */
export class GrpcHandler {
  readonly #options: ExchangeOptions;
  readonly #table: MountTable;
  readonly #admission: Admission;
  /** The calls under way, which end when the server stops. */
  readonly #waits = new Set<Wait>();
  #isStopping = false;

  constructor(options: ExchangeOptions) {
    const { mounts, auth, telemetry } = options;
    this.#options = options;
    this.#table = new MountTable({ mounts, auth, telemetry, provided: [eventIdExtension] });
    this.#table.checkNames();
    this.#admission = new Admission(this.#table);
  }

  /** The names of the services. The one for methods of extensions is there only if an agent has any. */
  get services(): readonly string[] {
    return this.#bindings.map(({ service }) => service.name);
  }

  /** The methods of all services, by their paths. */
  methods(): readonly (readonly [path: string, Method])[] {
    return this.#bindings.flatMap((binding) => {
      const aliases = binding === binding03 ? grpcMethodAliases : {};
      const names = Object.entries({ ...sameNames(binding.operations), ...aliases });
      return names.map(
        ([alias, name]) =>
          [`/${binding.service.name}/${alias}`, this.#method(binding, name)] as const,
      );
    });
  }

  get #bindings(): readonly Binding[] {
    const hasMethods = this.#table.points.some(({ methods }) => methods.size > 0);
    return [binding10, binding03, ...(hasMethods ? [extensionBindings["1.0"]] : [])];
  }

  /** Whether a caller may learn about the agents: if it may call one of them. Resolves to what refuses it. */
  async refusalOf(call: ServerCall): Promise<CallStatus | undefined> {
    const credentials = new GrpcCredentials(new GrpcRequest(call), this.#options.trustsProxy);
    try {
      await this.#admission.admitToAny(credentials);
      return undefined;
    } catch (error) {
      return this.#refuse(error, { binding: binding10, agent: this.#admission.common });
    }
  }

  /** Ends every wait and every stream, and from now on each new one at once: callers are told to try again. */
  drain(): void {
    this.#isStopping = true;
    for (const wait of this.#waits) wait.end?.();
  }

  #method(binding: Binding, name: string): Method {
    const operation = binding.operations[name];
    const method = binding.service.methods[name];
    if (operation === undefined || method === undefined) {
      throw new Error(`${binding.service.name} has no ${name}`);
    }
    return (call) =>
      byTurn(() => {
        const exchange = this.#exchange(call, this.#bindingFor(call, binding), method);
        const work = isStreaming(operation)
          ? this.#await(call, (signal) => this.#send(exchange, operation, signal))
          : this.#await(call, (signal) => this.#answer(exchange, operation, signal));
        work.catch((error: unknown) => call.end(this.#refuse(error, exchange)));
      });
  }

  /** A call of an extension's method is answered in the version that it names. */
  #bindingFor(call: ServerCall, binding: Binding): Binding {
    if (binding !== extensionBindings["1.0"]) return binding;
    const unnamed = this.#options.strict === true ? "0.3" : "1.0";
    const version = call.header("a2a-version")?.trim() || unnamed;
    return extensionBindings[version.startsWith("0.") ? "0.3" : "1.0"];
  }

  #exchange(call: ServerCall, binding: Binding, method: MethodType): Exchange {
    const [options, table, admission] = [this.#options, this.#table, this.#admission];
    return { call, options, table, admission, binding, method };
  }

  async #answer(exchange: Exchange, operation: UnaryOperation, signal: AbortSignal): Promise<void> {
    const call = await openCall(exchange, operation, signal);
    const result = await (operation === "getExtendedAgentCard"
      ? answerExtendedCard(exchange, call)
      : invoke(call, operation));
    const message = operation === "callMethod" ? { result } : ((result ?? {}) as JsonObject);
    exchange.call.answer(exchange.method.response.frame(message));
  }

  /** Sends the events of a stream as fast as the caller reads them. */
  async #send(
    exchange: Exchange,
    operation: StreamingOperation,
    signal: AbortSignal,
  ): Promise<void> {
    const { call: caller } = exchange;
    const { binding, method } = exchange;
    const call = await openCall(exchange, operation, signal);
    const encode = createEventEncoder(binding, {
      operation,
      message: method.response,
      hasEventIds: call.context.extensions?.includes(eventIdUri) === true,
    });
    const opened = await openStream(call, operation);
    const events: EventIterator = opened.events[Symbol.asyncIterator]();
    const sender = new EventSender(caller, events, { encode, signal });
    let isOver = false;
    try {
      isOver = await sender.send();
    } finally {
      await events.return?.();
    }
    if (!isOver) throw new A2AError("UNAVAILABLE", "the stream was left while work goes on");
    sender.end();
  }

  #refuse(
    error: unknown,
    { binding, agent }: { readonly binding: Binding; readonly agent?: MountedAgent | undefined },
  ): CallStatus {
    if (error instanceof StatusError) return statusOf(error);
    const options = { ...this.#options, binding: "GRPC" } as const;
    const failure = failureOf(error, agent === undefined ? [] : [agent], options);
    return encodeError(failure, binding.version);
  }

  /** Does some work with a signal that aborts when the caller goes away, its deadline passes or the server stops. */
  async #await<T>(call: ServerCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const signal = new LightSignal();
    const wait: Wait = { end: () => signal.abort() };
    if (this.#isStopping || call.cancelled) signal.abort();
    this.#waits.add(wait);
    call.onCancel = () => wait.end?.();
    try {
      return await work(signal.toAbortSignal());
    } finally {
      call.onCancel = undefined;
      this.#waits.delete(wait);
      wait.end = undefined;
    }
  }
}

/** Ends the wait for an answer. Emptied when the call is answered, since a `Set` may keep it for longer. */
interface Wait {
  end: (() => void) | undefined;
}

function sameNames(names: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(names).map((name) => [name, name]));
}

/** Asks the agent for its extended card. */
async function answerExtendedCard(exchange: Exchange, call: Call): Promise<JsonValue> {
  const { agent, codec } = call;
  const { host, isSecure } = exchange.call;
  // 0.3 asks for absolute URLs; how to call this one is not to be seen from other interfaces of the card.
  const url = codec.version === "1.0" ? host : `${isSecure ? "https" : "http"}://${host}`;
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
