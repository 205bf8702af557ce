import { isIP } from "node:net";
import { Refusal } from "./refusal.js";

/** The names under which the backend answers. */
export interface OwnNames {
  /** The address that it listens on. */
  readonly host: string;
  readonly port: number;
  /** Further hosts, each with its port, that a person has named. */
  readonly publicHosts?: readonly string[];
}

/**
 * Refuses a request for another host, whatever its path: the name of a page that leads to this machine (DNS rebinding)
 * would make that page one of ours.
 */
export function checkHost(url: URL, { host, port, publicHosts = [] }: OwnNames): void {
  if (publicHosts.includes(url.host)) return;
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const isPort = Number(url.port || "80") === port;
  const isLocal = isLoopback(name);
  // No name leads to an address that is written as numbers, so such an address cannot be rebound.
  const isAddress = !isLoopback(host) && isIP(name) !== 0;
  if (isPort && (isLocal || isAddress)) return;
  throw new Refusal(421, "PERMISSION_DENIED", "the inspector does not answer for this host", {
    hint: "Open the link as it was printed.",
  });
}

/** Whether only this machine reaches an address or a name. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith("127.");
  return host === "::1" || host === "localhost";
}

/**
 * Refuses what another page has made its browser send. A browser names the origin of all but reads, and the site of
 * everything; a form cannot send JSON.
 */
export function checkOrigin(request: Request, url: URL): void {
  const { method, headers } = request;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") throw foreign();
  const origin = headers.get("origin");
  if (origin !== null && origin !== url.origin) throw foreign();
  if (method === "GET" || method === "HEAD") return;
  if (origin === null) throw foreign();
  const type = headers.get("content-type") ?? "";
  if (/^application\/json\s*(?:;|$)/i.test(type)) return;
  throw new Refusal(415, "CONTENT_TYPE_NOT_SUPPORTED", "the body has to be application/json");
}

function foreign(): Refusal {
  return new Refusal(403, "PERMISSION_DENIED", "only the inspector's own page may ask this", {
    hint: "Send the Origin of the inspector.",
  });
}
