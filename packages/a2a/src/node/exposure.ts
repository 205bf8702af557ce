import { isIP } from "node:net";
import { isAuthenticated } from "./agent-mounts.js";
import type { AgentMount } from "./agent-mounts.js";

export interface Exposure {
  /** The address that the server listens on. */
  readonly host: string;
  /** The names of the agents that anyone may call. */
  readonly open: readonly string[];
  readonly allowAnonymous: boolean;
  readonly warn: (message: string) => void;
}

/**
 * Throws if callers beyond this machine could use an agent without authentication, unless that is allowed; then
 * it warns. Without authentication all callers are one: each can read and cancel the tasks of all others.
 */
export function checkExposure({ host, open, allowAnonymous, warn }: Exposure): void {
  if (open.length === 0 || isLoopback(host)) return;
  const names = open.map((name) => JSON.stringify(name)).join(", ");
  if (allowAnonymous) {
    warn(`Anyone who reaches ${host} can call ${names} and see all tasks: no authentication`);
    return;
  }
  throw new Error(
    `${names} would be open to everyone who reaches ${host}: configure authentication (auth), ` +
      "listen on 127.0.0.1, or allow it with allowAnonymous: true (--allow-anonymous)",
  );
}

/** Throws if an agent has an extended card, which is for authenticated callers, and no caller can authenticate. */
export function checkExtendedCards(mounts: readonly AgentMount[]): void {
  const open = mounts.find(
    ({ agent }) => agent.extendedCard !== undefined && !isAuthenticated(agent, mounts),
  );
  if (open === undefined) return;
  throw new Error(
    `${JSON.stringify(open.agent.name)} has an extended card, which is for authenticated callers, and nobody can ` +
      "authenticate: configure authentication (auth), remove extendedCard, or let everyone read the card with " +
      "settings: { extendedCardForAnyone: true }",
  );
}

/** Whether only this machine reaches an address or a name. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (isIP(name) === 4) return name.startsWith("127.");
  return name === "::1" || name === "localhost" || name.endsWith(".localhost");
}

/** The names under which callers reach a server. */
export interface PublicNames {
  readonly publicUrl?: string;
  /** Further hosts: names that stand for any port, or names with a port. */
  readonly publicHosts?: readonly string[];
}

/**
 * Decides for which hosts an open server on this machine answers: its own names, and its public ones. Stops DNS
 * rebinding: a page whose name leads to this machine sends that name, and would otherwise be let in.
 */
export function createHostCheck({
  publicUrl,
  publicHosts = [],
}: PublicNames): (host: string) => boolean {
  const names = new Set(publicHosts.map((one) => one.toLowerCase()));
  const published = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const isAnswered = (host: string): boolean => {
    const name = host.replace(/:\d+$/, "");
    return host === published || names.has(host) || names.has(name) || isLoopback(name);
  };
  // Most calls name the same host as the call before.
  let latest = { host: "", isAnswered: false };
  return (host) => {
    if (host !== latest.host) latest = { host, isAnswered: isAnswered(host.toLowerCase()) };
    return latest.isAnswered;
  };
}
