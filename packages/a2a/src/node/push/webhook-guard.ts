import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { isPublicAddress, isWithin, networks } from "./public-address.js";
import { createResolveHost, resolveLocally } from "./resolve-host.js";
import type { ResolveHost } from "./resolve-host.js";
import { RefusedWebhook } from "./refused-webhook.js";

/** Which webhooks are called. What is not said here is refused. */
export interface WebhookRules {
  /**
   * Calls webhooks on this machine and in private networks, too, and over `http`. For development: whoever
   * registers a webhook can then reach what this machine reaches. A list of networks, such as
   * `["10.20.0.0/16"]`, opens those alone.
   */
  readonly allowPrivate?: boolean | readonly string[];
  /** `https` when absent. */
  readonly schemes?: readonly ("https" | "http")[];
  /** 443, 80, and from 1024 on when absent: no port of a service that is not for the web. */
  readonly isPortAllowed?: (port: number) => boolean;
  /** Has the last word, such as by a list of hosts that alone are called. */
  readonly isAllowed?: (url: URL) => boolean;
  /**
   * Finds the addresses of a name. When absent, the name servers are asked; the operating system, if
   * something private is allowed.
   */
  readonly resolve?: ResolveHost;
}

/**
 * Keeps notifications from going where their receiver must not send them. What a URL says by itself is
 * checked by `check`; what its name stands for is checked by `lookup`, whose answer is what the socket
 * connects to: there is no moment in between at which a name could change its mind.
 */
export interface WebhookGuard {
  /** The URL, if it may be called for all it says itself. Throws `RefusedWebhook`. */
  check(url: string): URL;
  /** For sockets. Never called for a host that is an address, which `check` has seen. */
  readonly lookup: LookupFunction;
}

type Addresses = readonly [LookupAddress, ...LookupAddress[]];

/** Names that are never public, whatever a resolver says (RFC 6761, 6762, 8375). */
const localNames = /^(?:[^.]*|(?:.*\.)?(?:localhost|localdomain|local|internal|home\.arpa))$/;

export function createWebhookGuard(rules: WebhookRules = {}): WebhookGuard {
  const { allowPrivate = false, isPortAllowed = isUsualPort } = rules;
  const isOpen = allowPrivate === true;
  const schemes = rules.schemes ?? (isOpen ? ["https", "http"] : ["https"]);
  const opened = networks(typeof allowPrivate === "boolean" ? [] : allowPrivate);
  const allowsNames = isOpen || (typeof allowPrivate === "object" && allowPrivate.length > 0);
  const resolve = rules.resolve ?? (allowsNames ? resolveLocally : createResolveHost());
  const isAllowedAddress = (address: string): boolean =>
    isOpen || isPublicAddress(address) || isWithin(address, opened);

  function check(text: string): URL {
    if (!URL.canParse(text)) throw new RefusedWebhook("it is no URL");
    const url = new URL(text);
    if (!schemes.some((scheme) => url.protocol === `${scheme}:`)) {
      throw new RefusedWebhook(`its scheme is not ${schemes.join(" or ")}`);
    }
    if (url.username !== "" || url.password !== "") {
      throw new RefusedWebhook("it has a user name; credentials belong in authentication");
    }
    const port = portOf(url);
    if (!isPortAllowed(port)) throw new RefusedWebhook(`port ${port} is not allowed`);
    checkHost(hostOf(url));
    if (rules.isAllowed?.(url) === false)
      throw new RefusedWebhook("it is not among those that are called here");
    return url;
  }

  function checkHost(host: string): void {
    if (isIP(host) === 0) {
      const isLocal = localNames.test(host.replace(/\.+$/, ""));
      if (isLocal && !allowsNames) throw new RefusedWebhook("its host is not a public one");
    } else if (!isAllowedAddress(host)) {
      throw new RefusedWebhook("its address is not a public one");
    }
  }

  async function findAllowed(hostname: string): Promise<Addresses> {
    const found = await resolve(hostname);
    const [first, ...others] = found.filter(({ address }) => isAllowedAddress(address));
    if (first !== undefined) return [first, ...others];
    throw new RefusedWebhook("its name does not stand for a public address", { isLasting: false });
  }

  return { check, lookup: asLookup(findAllowed) };
}

/** A URL's host as sockets know it: addresses of IPv6 without their brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function isUsualPort(port: number): boolean {
  return port === 443 || port === 80 || port >= 1024;
}

/** A search for addresses in the form that sockets want it in. */
function asLookup(find: (hostname: string) => Promise<Addresses>): LookupFunction {
  const findLater = callbackify(find);
  return (hostname, { all = false }, callback) =>
    findLater(hostname, (error, addresses) => {
      if (error !== null) callback(error, "");
      else if (all) callback(null, [...addresses]);
      else callback(null, addresses[0].address, addresses[0].family);
    });
}
