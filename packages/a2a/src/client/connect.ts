import type { AgentCard, AgentInterface, AgentService, JsonObject } from "../protocol/internal.js";
import type { CardVerification } from "../wire/internal.js";
import { createJsonRpcTransport } from "../http/internal.js";
import type { Fetch } from "../http/internal.js";
import { chooseInterface } from "./choose-interface.js";
import type { ChosenInterface, InterfaceChoice } from "./choose-interface.js";
import type { CardSource, Entrusted, Secrets } from "./credentials/secret.js";
import type { FindCardOptions, FoundCard } from "./find-card.js";
import type { Interceptor } from "./interceptor.js";
import { limitCalls } from "./limit-calls.js";
import type { Patience } from "./call-options.js";
import { patientFetch } from "./patient-fetch.js";
import { pick } from "./pick.js";
import { RemoteAgent } from "./remote-agent.js";
import type { RemoteAgentOptions } from "./remote-agent.js";
import { StreamSlots } from "./stream-slots.js";
import { systemTimers } from "./timers.js";
import type { Timers } from "./timers.js";

/** Makes a service of an interface, for bindings that this client does not bring along. */
export type TransportFactory = (chosen: AgentInterface, source: CardSource) => AgentService;

/** How `connect` finds, authenticates to and calls an agent. */
export interface ConnectOptions extends InterfaceChoice {
  readonly fetch?: Fetch;
  /**
   * Sent with every request to the agent, never with the request for its card. As they may be secret,
   * they are held to the origin that credentials are for.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Transports for further bindings, such as `GRPC`. */
  readonly transports?: Readonly<Record<string, TransportFactory>>;
  /** Ends the search for the card, the extended one too. */
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
  /** Where the credentials are for, as a URL or a host; the origin of the card when absent. */
  readonly credentialsOrigin?: string;
  /** Signs in and takes the extended card, where the agent has one, for `agent.card`. */
  readonly extendedCard?: boolean;
  readonly patience?: Partial<Patience>;
  /** Streams beyond these wait in line. */
  readonly maxStreamsPerHost?: number;
  readonly timers?: Timers;
  readonly newId?: () => string;
}

/** Browsers, their workers too, have six connections for each host; one stays free for calls. */
const isBrowser = "document" in globalThis || "importScripts" in globalThis;
const defaultSlots = new StreamSlots(isBrowser ? 5 : 100);

const defaultPatience: Patience = {
  maxAttempts: 4,
  maxReconnects: 10,
  stallMs: 120_000,
  pollMs: 1000,
};

/** The bindings for which this client brings a transport along. */
const ownBindings = ["JSONRPC", "HTTP+JSON"];

/**
 * Finds an agent's card, chooses one of its interfaces and connects to it: any version, any binding.
 *
 * @example
 * const travel = await connect("https://agents.example.com/travel");
 * console.log(await travel.text("Tokyo in May"));
 */
export async function connect(
  reference: string | AgentCard | JsonObject,
  options: ConnectOptions = {},
): Promise<RemoteAgent> {
  const { timers = systemTimers, newId = () => crypto.randomUUID(), signal } = options;
  const { fetch = patientFetch } = options;
  const patience = { ...defaultPatience, ...options.patience };
  const found: FoundCard = isCard(reference)
    ? { card: reference, document: reference }
    : await find(reference, { fetch, timers, signal, ...patience });
  const { card } = found;
  const signature = await options.verifyCard?.(found.document);
  const available = [...ownBindings, ...Object.keys(options.transports ?? {})];
  const chosen = chooseInterface(card, available, options);
  if (chosen === undefined) {
    const { refuseInterfaces } = await loadLazily();
    throw refuseInterfaces(card, available, options);
  }
  // A card may name any URL; only the origin it came from, or the caller's choice, is told secrets.
  const origin = options.credentialsOrigin ?? found.url ?? chosen.url;
  const source = { cardUrl: found.url };
  const entrusted = { card, origin, ...source, ...pick(options, "credentials", "headers") };
  const own = options.transports?.[chosen.protocolBinding]?.(chosen, source);
  // The caller's own is not awaited: it may be anything, a proxy that answers to `then` included.
  const transport =
    own === undefined
      ? await openTransport(chosen, guard(fetch, entrusted))
      : (await loadLazily()).authorizedService(own, chosen.url, entrusted);
  const { maxStreamsPerHost: maxStreams } = options;
  const slots = maxStreams === undefined ? defaultSlots : new StreamSlots(maxStreams);
  const limits = { slots, host: originOf(chosen.url), timers, stallMs: patience.stallMs };
  const limited = limitCalls(transport, limits);
  const settings: RemoteAgentOptions = {
    card,
    service: await intercepted(limited, options.interceptors),
    version: chosen.protocolVersion,
    binding: chosen.protocolBinding,
    url: chosen.url,
    timers,
    newId,
    patience,
    ...(signature !== undefined && { signature }),
    ...pick(options, "extensions"),
  };
  const agent = new RemoteAgent(settings);
  return options.extendedCard === true && card.capabilities.extendedAgentCard === true
    ? new RemoteAgent({ ...settings, card: await agent.extendedCard(pick(options, "signal")) })
    : agent;
}

const loadLazily = () => import("./lazy.js");

/** Cards before 1.0 have other members. */
function isCard(reference: string | AgentCard | JsonObject): reference is AgentCard {
  return typeof reference === "object" && Array.isArray(reference["supportedInterfaces"]);
}

async function find(reference: string | JsonObject, options: FindCardOptions): Promise<FoundCard> {
  const { findCard, readCard } = await loadLazily();
  return typeof reference === "string"
    ? findCard(reference, options)
    : { card: readCard(reference), document: reference };
}

/** What may be secret is handled by what is loaded for it. */
function guard(fetch: Fetch, entrusted: Entrusted): Fetch {
  const given = entrusted.credentials ?? entrusted.headers;
  return async (url, init) => {
    const sent = new Headers(init.headers);
    if (given === undefined && !sent.has("Authorization") && !sent.has("Cookie")) {
      return fetch(url, init);
    }
    return (await loadLazily()).authorizedFetch(fetch, entrusted)(url, init);
  };
}

async function intercepted(
  service: AgentService,
  interceptors?: readonly Interceptor[],
): Promise<AgentService> {
  if (interceptors === undefined) return service;
  const { intercept } = await loadLazily();
  return intercept(service, interceptors);
}

/** A transport for what was chosen; for all but JSON-RPC in 1.0 what it takes is loaded then. */
async function openTransport(chosen: ChosenInterface, fetch: Fetch): Promise<AgentService> {
  const options = { url: chosen.url, fetch, ...pick(chosen, "tenant") };
  if (chosen.protocolBinding === "JSONRPC" && chosen.protocolVersion === "1.0") {
    return createJsonRpcTransport({ ...options, dialect: "1.0" });
  }
  const { createOtherTransport } = await loadLazily();
  return createOtherTransport(chosen, options);
}

/** The addresses of other bindings need not be URLs: `host:port` would be one, of no origin. */
function originOf(url: string): string {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : url;
}
