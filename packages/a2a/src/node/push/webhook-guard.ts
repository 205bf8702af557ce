import type { LookupAddress } from "node:dns";
import { isIP } from "node:net";
import type { LookupFunction } from "node:net";
import { callbackify } from "node:util";
import { parseUrl } from "../../protocol/parse/internal.js";
import { parseNetworks } from "../network-list.js";
import { isPublicAddress } from "./public-address.js";
import { createResolveHost, resolveLocally } from "./resolve-host.js";
import type { ResolveHost } from "./resolve-host.js";
import { RefusedWebhook } from "./refused-webhook.js";

/** Which webhooks the server calls; it refuses all others. */
export interface WebhookRules {
  /**
   * Allows webhooks on this machine and in private networks, also over `http`. For development only: everyone who
   * can register a webhook can then reach whatever this machine reaches. A list of networks, such as
   * `["10.20.0.0/16"]`, allows only these.
   */
  readonly allowPrivate?: boolean | readonly string[];
  /** The allowed schemes; `https` when absent. */
  readonly schemes?: readonly ("https" | "http")[];
  /** Decides which ports are allowed; 80, 443 and those from 1024 when absent, which leaves out services like mail. */
  readonly isPortAllowed?: (port: number) => boolean;
  /** Decides last, for instance by a list of allowed hosts. */
  readonly isAllowed?: (url: URL) => boolean;
  /**
   * Finds the addresses of a name. When absent, asks the name servers, or the operating system if private networks
   * are allowed.
   */
  readonly resolve?: ResolveHost;
}

/**
 * Keeps callers from directing notifications to where they must not go. `check` looks at the URL; `lookup` looks at
 * the addresses of its name. The socket connects to what `lookup` returns, so that a name cannot change its address
 * between the check and the connection.
 */
export interface WebhookGuard {
  /** Parses the URL. Throws `RefusedWebhook` if it is not allowed, whatever its name stands for. */
  check(url: string): URL;
  /** For sockets, which do not call it for a host that is an address: `check` has looked at that. */
  readonly lookup: LookupFunction;
}

type Addresses = readonly [LookupAddress, ...LookupAddress[]];

/** Names that are never public, whatever a resolver says (RFC 6761, 6762, 8375). */
const localNames = /^(?:[^.]*|(?:.*\.)?(?:localhost|localdomain|local|internal|home\.arpa))$/;

/** For the developer whose own machine is refused. It tells a caller nothing about the server. */
const howToAllow = "; a server in development allows it with the option push.allowPrivate";

export function createWebhookGuard(rules: WebhookRules = {}): WebhookGuard {
  const { allowPrivate = false, isPortAllowed = isUsualPort } = rules;
  const isOpen = allowPrivate === true;
  const schemes = rules.schemes ?? (isOpen ? ["https", "http"] : ["https"]);
  const opened = parseNetworks(typeof allowPrivate === "boolean" ? [] : allowPrivate);
  const allowsNames = isOpen || (typeof allowPrivate === "object" && allowPrivate.length > 0);
  const resolve = rules.resolve ?? (allowsNames ? resolveLocally : createResolveHost());
  const isAllowedAddress = (address: string): boolean =>
    isOpen || isPublicAddress(address) || opened.has(address);

  function check(text: string): URL {
    const url = parseUrl(text);
    if (url === undefined) throw new RefusedWebhook("it is not a URL");
    if (!schemes.some((scheme) => url.protocol === `${scheme}:`)) {
      const help = reasonAgainst(hostOf(url)) === undefined ? "" : howToAllow;
      throw new RefusedWebhook(`its scheme is not ${schemes.join(" or ")}${help}`);
    }
    if (url.username !== "" || url.password !== "") {
      throw new RefusedWebhook("it has a user name; credentials belong in authentication");
    }
    const port = portOf(url);
    if (!isPortAllowed(port)) throw new RefusedWebhook(`port ${port} is not allowed`);
    const reason = reasonAgainst(hostOf(url));
    if (reason !== undefined) throw new RefusedWebhook(`${reason}${howToAllow}`);
    if (rules.isAllowed?.(url) === false)
      throw new RefusedWebhook("the rules of this server do not allow it");
    return url;
  }

  /** Why the host is not allowed; `undefined` if it is. */
  function reasonAgainst(host: string): string | undefined {
    if (isIP(host) !== 0) {
      return isAllowedAddress(host) ? undefined : "its address is not a public one";
    }
    const isLocal = localNames.test(host.replace(/\.+$/, ""));
    return isLocal && !allowsNames ? "its host is not a public one" : undefined;
  }

  async function findAllowed(hostname: string): Promise<Addresses> {
    const found = await resolve(hostname);
    const [first, ...others] = found.filter(({ address }) => isAllowedAddress(address));
    if (first !== undefined) return [first, ...others];
    throw new RefusedWebhook("its name does not stand for a public address", { isLasting: false });
  }

  return { check, lookup: asLookup(findAllowed) };
}

/** The host of a URL as sockets expect it: an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function isUsualPort(port: number): boolean {
  return port === 443 || port === 80 || port >= 1024;
}

/** Turns a search for addresses into the function that sockets expect. */
function asLookup(find: (hostname: string) => Promise<Addresses>): LookupFunction {
  const findLater = callbackify(find);
  return (hostname, { all = false }, callback) =>
    findLater(hostname, (error, addresses) => {
      if (error !== null) callback(error, "");
      else if (all) callback(null, [...addresses]);
      else callback(null, addresses[0].address, addresses[0].family);
    });
}
