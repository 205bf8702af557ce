import { isIP } from "node:net";

export interface Exposure {
  /** What is listened on. */
  readonly host: string;
  /** The names of agents that anyone may call. */
  readonly open: readonly string[];
  readonly allowAnonymous: boolean;
  readonly warn: (message: string) => void;
}

/**
 * Refuses to serve agents to anyone beyond this machine unless that was asked for, and says so when it was.
 * Without authentication every caller is the same: it reads and cancels the tasks of all others.
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

/** True for an address or a name that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (isIP(name) === 4) return name.startsWith("127.");
  return name === "::1" || name === "localhost" || name.endsWith(".localhost");
}

/**
 * Which hosts an open server on this machine answers for: this machine, and what it is published as. A page
 * whose name was made to lead here sends its own, and would otherwise be as good as at home.
 */
export function createHostCheck(publicUrl: string | undefined): (host: string) => boolean {
  const published = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  // Most calls name the same host as the one before.
  let latest = { host: "", isAnswered: false };
  return (host) => {
    if (host !== latest.host) {
      const isAnswered = host === published || isLoopback(host.replace(/:\d+$/, ""));
      latest = { host, isAnswered };
    }
    return latest.isAnswered;
  };
}
