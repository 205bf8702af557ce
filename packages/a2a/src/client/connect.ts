import type {
  AgentCard,
  AgentInterface,
  AgentService,
  ProtocolVersion,
} from "../protocol/index.js";
import type { Dialect } from "../wire/index.js";
import { createJsonRpcTransport, createRestTransport } from "../http/index.js";
import type { Fetch, TransportOptions } from "../http/index.js";
import { CardCache } from "./card-cache.js";
import { chooseInterface } from "./choose-interface.js";
import type { InterfaceChoice } from "./choose-interface.js";
import { findCard } from "./find-card.js";
import { RemoteAgent } from "./remote-agent.js";
import { systemTimers } from "./timers.js";
import type { Timers } from "./timers.js";

/** Makes a service of an interface, for bindings that this client does not bring along. */
export type TransportFactory = (chosen: AgentInterface) => AgentService;

export interface ConnectOptions extends InterfaceChoice {
  readonly fetch?: Fetch;
  /** Sent with every request to the agent, never with the request for its card. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Transports for further bindings, such as `GRPC`. */
  readonly transports?: Readonly<Record<string, TransportFactory>>;
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
  readonly newId?: () => string;
}

const sharedCache = new CardCache();

const dialects: Readonly<Record<string, Readonly<Record<ProtocolVersion, Dialect | undefined>>>> = {
  JSONRPC: { "0.1": "0.1", "0.2": "0.3", "0.3": "0.3", "1.0": "1.0" },
  "HTTP+JSON": { "0.1": undefined, "0.2": "0.3-proto", "0.3": "0.3-proto", "1.0": "1.0" },
};

/**
 * Finds an agent's card, chooses one of its interfaces and connects to it: any version, any binding.
 *
 * @example
 * const travel = await connect("https://agents.example.com/travel");
 * console.log(await travel.text("Tokyo in May"));
 */
export async function connect(
  reference: string | AgentCard,
  options: ConnectOptions = {},
): Promise<RemoteAgent> {
  const { signal, timers = systemTimers, newId = () => crypto.randomUUID() } = options;
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const { card } =
    typeof reference === "string"
      ? await findCard(reference, {
          fetch,
          cache: sharedCache,
          ...(signal !== undefined && { signal }),
        })
      : { card: reference };
  const available = [...Object.keys(dialects), ...Object.keys(options.transports ?? {})];
  const chosen = chooseInterface(card, available, options);
  const service = createTransport(chosen, { ...options, fetch });
  const { protocolVersion: version, protocolBinding: binding } = chosen;
  return new RemoteAgent({ card, service, version, binding, timers, newId });
}

function createTransport(
  chosen: AgentInterface & { readonly protocolVersion: ProtocolVersion },
  { transports, headers, fetch }: ConnectOptions,
): AgentService {
  const { protocolBinding, protocolVersion, url, tenant } = chosen;
  const factory = transports?.[protocolBinding];
  if (factory !== undefined) return factory(chosen);
  const dialect = dialects[protocolBinding]?.[protocolVersion] ?? "1.0";
  const options: TransportOptions = {
    url,
    dialect,
    ...(fetch !== undefined && { fetch }),
    ...(tenant !== undefined && { tenant }),
    ...(headers !== undefined && { headers }),
  };
  return protocolBinding === "JSONRPC"
    ? createJsonRpcTransport(options)
    : createRestTransport(options);
}
