import { platformFetch } from "#platform-fetch";
import { newUuid, parseUrl } from "../protocol/parse/internal.js";
import type {
  AgentCard,
  AgentInterface,
  AgentService,
  JsonObject,
  Telemetry,
} from "../protocol/internal.js";
import { openTransport, ownBindings } from "./interface/open-transport.js";
import { foregroundClock } from "../async/internal.js";
import type { Clock } from "../async/internal.js";
import type { CardVerification } from "../wire/card/internal.js";
import type { PeerFiles } from "../binding/internal.js";
import type { AnswerLimits, Fetch, HeaderFields } from "../http/internal.js";
import { chooseInterface } from "./interface/choose-interface.js";
import type { InterfaceChoice } from "./interface/choose-interface.js";
import type { Patience } from "./call-options.js";
import type { Interceptor } from "./calls/interceptor.js";
import { limitCalls, StreamSlots } from "./calls/limit-calls.js";
import type { FoundCard } from "./card/find-card.js";
import type { CardSource, Entrusted, Secrets } from "./credentials/secret.js";
import { pick } from "./pick.js";
import { RemoteAgent } from "./remote-agent.js";
import type { RemoteAgentOptions } from "./remote-agent.js";

/** Creates a service for an interface whose binding the client has no transport for. */
export type TransportFactory = (
  chosen: AgentInterface,
  source: CardSource & AnswerLimits & PeerFiles,
) => AgentService;

/** How `connect` finds, authenticates to and calls an agent. */
export interface ConnectOptions extends InterfaceChoice, AnswerLimits, PeerFiles {
  readonly fetch?: Fetch;
  /**
   * Sent with every request to the agent, but never with the request for its card. As headers may be secret,
   * they go to the origin of the credentials only.
   */
  readonly headers?: Readonly<Record<string, string>>;
  /** Transports for other bindings, such as `GRPC`. */
  readonly transports?: Readonly<Record<string, TransportFactory>>;
  /** Ends the search for the card and for the extended card. */
  readonly signal?: AbortSignal;
  /** URIs of the extensions to request with every call. */
  readonly extensions?: readonly string[];
  readonly interceptors?: readonly Interceptor[];
  /**
   * Verifies the signatures of the card's JSON, as the result of `createCardVerifier` does. The outcome becomes
   * `agent.signature`. An error refuses the card.
   */
  readonly verifyCard?: (document: unknown) => Promise<CardVerification>;
  /**
   * Credentials by the names that the card gives its security schemes: tokens, keys, user names with
   * passwords, or sources of tokens. A client certificate is presented by `fetch`.
   */
  readonly credentials?: Secrets;
  /** How long a card is fresh whose server says nothing about caching, in milliseconds; 0 when absent. */
  readonly cardTtlMs?: number;
  /** The URL or host that the credentials are for; the origin of the card when absent. */
  readonly credentialsOrigin?: string;
  /** Authenticates and makes the extended card `agent.card`, if the agent has one. */
  readonly extendedCard?: boolean;
  readonly patience?: Partial<Patience>;
  /** The most bytes that a card may have, after decompression; 1 MiB when absent. */
  readonly maxCardBytes?: number;
  /** Further streams to the same host wait in line. */
  readonly maxStreamsPerHost?: number;
  readonly clock?: Clock;
  /** Spreads repeated calls in time: a number from 0 to 1, `Math.random` when absent. */
  readonly random?: () => number;
  readonly newId?: () => string;
  /** Where traces and metrics of the calls go. Absent: nowhere. */
  readonly telemetry?: Telemetry;
}

/** Browsers, workers included, open six connections to a host; one of them stays free for calls. */
const isBrowser = "document" in globalThis || "importScripts" in globalThis;
const defaultSlots = new StreamSlots(isBrowser ? 5 : 100);

const defaultPatience: Patience = {
  maxAttempts: 4,
  maxReconnects: 10,
  stallMs: 120_000,
  pollMs: 1000,
};

/**
 * Finds an agent's card, chooses one of its interfaces and connects to it, in any version and any binding.
 *
 * @example
 * const travel = await connect("https://agents.example.com/travel");
 * console.log(await travel.text("Tokyo in May"));
 */
export async function connect(
  reference: string | URL | AgentCard | JsonObject,
  options: ConnectOptions = {},
): Promise<RemoteAgent> {
  const { clock = foregroundClock, newId = newUuid, transports = {} } = options;
  const { fetch = platformFetch, maxStreamsPerHost } = options;
  const patience = { ...defaultPatience, ...options.patience };
  const found: FoundCard = isCard(reference)
    ? { card: reference, document: reference }
    : await (await loadLazily()).findCard(reference, { ...options, ...patience, fetch, clock });
  const { card, url: cardUrl } = found;
  const signature = await options.verifyCard?.(found.document);

  const available = [...ownBindings, ...Object.keys(transports)];
  const chosen = chooseInterface(card, available, options);
  if (chosen === undefined) {
    const { refuseInterfaces } = await loadLazily();
    throw refuseInterfaces(card, available, options);
  }
  const { url, protocolVersion: version, protocolBinding: binding } = chosen;

  // A card may name any URL. Secrets go only to the origin that the card came from, or that the caller names.
  const origin = options.credentialsOrigin ?? cardUrl ?? url;
  const entrusted = { card, origin, cardUrl, ...pick(options, "credentials", "headers") };
  const limits = pick(options, "maxAnswerBytes", "maxEventBytes", "fileBytes");
  const own = transports[binding]?.(chosen, { cardUrl, ...limits });
  // The caller's transport is not awaited: it may be a proxy that answers to `then`.
  const transport =
    own === undefined
      ? await openTransport(chosen, {
          ...limits,
          fetch: authorizing(fetch, entrusted),
          refusalOf: async (...refused) => (await loadLazily()).readRefusal(entrusted, ...refused),
        })
      : (await loadLazily()).authorizedService(own, url, entrusted);

  const slots = maxStreamsPerHost === undefined ? defaultSlots : new StreamSlots(maxStreamsPerHost);
  const limited = limitCalls(transport, { ...patience, clock, slots, host: originOf(url) });
  const { telemetry } = options;
  const service = await intercepted(limited, options.interceptors);
  const settings: RemoteAgentOptions = {
    card,
    service,
    ...(telemetry &&
      (await import("./observed.js")).observe(service, { telemetry, card, url, binding })),
    version,
    binding,
    url,
    clock,
    newId,
    patience,
    ...(signature !== undefined && { signature }),
    ...limits,
    ...pick(options, "extensions", "random"),
  };
  const agent = new RemoteAgent(settings);
  return options.extendedCard === true && card.capabilities.extendedAgentCard === true
    ? new RemoteAgent({ ...settings, card: await agent.extendedCard(options) })
    : agent;
}

const loadLazily = () => import("./lazy.js");

/** Whether a reference is a card of 1.0; cards of earlier versions have other members. */
function isCard(reference: unknown): reference is AgentCard {
  return Array.isArray((reference as Partial<AgentCard> | null | undefined)?.supportedInterfaces);
}

/** A fetch that loads what handles secrets once a request has any. */
function authorizing(fetch: Fetch, entrusted: Entrusted): Fetch {
  const given = entrusted.credentials ?? entrusted.headers;
  return async (url, init) => {
    const { authorization, cookie } = init.headers as HeaderFields;
    const isPlain = (given ?? authorization ?? cookie) === undefined;
    const send = isPlain ? fetch : (await loadLazily()).authorizedFetch(fetch, entrusted);
    return send(url, init);
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

/**
 * The origin of an HTTP URL. Other bindings have other addresses, and `host:port` would parse as a URL
 * without origin.
 */
function originOf(url: string): string {
  return (/^https?:/i.test(url) && parseUrl(url)?.origin) || url;
}
