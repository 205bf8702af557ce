import type {
  AgentCard,
  AgentInterface,
  AgentService,
  ProtocolVersion,
} from "../protocol/index.js";
import type { CardVerification, Dialect } from "../wire/index.js";
import { createJsonRpcTransport, createRestTransport } from "../http/index.js";
import type { Fetch, TransportOptions } from "../http/index.js";
import { CardCache } from "./card-cache.js";
import { chooseInterface } from "./choose-interface.js";
import type { ChosenInterface, InterfaceChoice } from "./choose-interface.js";
import type { Secrets } from "./credentials/secret.js";
import { fallBack } from "./fall-back.js";
import { findCard } from "./find-card.js";
import type { FoundCard } from "./find-card.js";
import { intercept } from "./interceptor.js";
import type { Interceptor } from "./interceptor.js";
import { limitStreams } from "./limit-streams.js";
import type { Patience } from "./call-options.js";
import { RemoteAgent } from "./remote-agent.js";
import { StreamSlots } from "./stream-slots.js";
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
  /** Ends the search for the card. */
  readonly signal?: AbortSignal;
  /** URIs of extensions to ask for with every call. */
  readonly extensions?: readonly string[];
  readonly interceptors?: readonly Interceptor[];
  /**
   * Says what the signatures of the card's JSON are worth; `verifyAgentCard` of `@parley/a2a/wire` does.
   * The outcome is told as `agent.signature`. An error refuses the card.
   */
  readonly verifyCard?: (document: unknown) => Promise<CardVerification>;
  /**
   * What authenticates calls, by the names that the card gives its schemes: tokens, keys, names with
   * passwords, or where tokens come from. Client certificates are the business of `fetch`.
   */
  readonly credentials?: Secrets;
  /** Where the credentials are for; the origin of the card when absent. */
  readonly credentialsOrigin?: string;
  readonly patience?: Partial<Patience>;
  /** Streams beyond these wait in line. */
  readonly maxStreamsPerHost?: number;
  readonly timers?: Timers;
  readonly newId?: () => string;
}

const sharedCache = new CardCache();

/** Browsers have six connections for each host; one of them stays free for calls. */
const defaultSlots = new StreamSlots("document" in globalThis ? 5 : 100);

const defaultPatience: Patience = {
  maxAttempts: 4,
  maxReconnects: 10,
  stallMs: 120_000,
  pollMs: 1000,
};

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
  const { timers = systemTimers, newId = () => crypto.randomUUID(), signal } = options;
  const fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const patience = { ...defaultPatience, ...options.patience };
  const found: FoundCard =
    typeof reference === "string"
      ? await findCard(reference, { fetch, cache: sharedCache, timers, signal, ...patience })
      : { card: reference, document: reference };
  const { card } = found;
  const signature = await options.verifyCard?.(found.document);
  const available = [...Object.keys(dialects), ...Object.keys(options.transports ?? {})];
  const chosen = chooseInterface(card, available, options);
  const authorized = await authenticate(fetch, found, { ...options, url: chosen.url });
  const transport = createTransport(chosen, { ...options, fetch: authorized });
  const { maxStreamsPerHost: maxStreams } = options;
  const slots = maxStreams === undefined ? defaultSlots : new StreamSlots(maxStreams);
  const limited = limitStreams(transport, slots, originOf(chosen.url));
  return new RemoteAgent({
    card,
    service: intercept(limited, options.interceptors ?? []),
    version: chosen.protocolVersion,
    binding: chosen.protocolBinding,
    url: chosen.url,
    timers,
    newId,
    patience,
    ...(signature !== undefined && { signature }),
    ...(options.extensions !== undefined && { extensions: options.extensions }),
  });
}

/** A card may name any URL; only the origin it came from, or the caller's choice, is told secrets. */
async function authenticate(
  fetch: Fetch,
  { card, url: cardUrl }: FoundCard,
  { credentials, credentialsOrigin, url }: ConnectOptions & { readonly url: string },
): Promise<Fetch> {
  if (credentials === undefined) return fetch;
  const origin = new URL(credentialsOrigin ?? cardUrl ?? url).origin;
  const { authorizedFetch } = await import("./credentials/authorized-fetch.js");
  return authorizedFetch({ fetch, card, secrets: credentials, origin });
}

function createTransport(
  chosen: ChosenInterface,
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
  if (protocolBinding !== "JSONRPC") return createRestTransport(options);
  const transport = createJsonRpcTransport(options);
  return protocolVersion === "0.2"
    ? fallBack(transport, createJsonRpcTransport({ ...options, dialect: "0.1" }))
    : transport;
}

/** The URLs of other bindings need not be URLs of the web. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
