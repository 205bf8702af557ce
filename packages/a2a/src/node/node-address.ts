import { hostname } from "node:os";

/** Whether a server that was told to listen here listens on every address of the machine. */
export function isAnyAddress(host: string | undefined): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** The name under which other machines reach this server: the machine's own where it listens on every address. */
export function reachableName(host: string): string {
  return isAnyAddress(host) ? hostname() : host;
}

/** Where operators find this node: its URL, with a name that means this machine to others, too. */
export function nodeAddress(url: string, host: string): string {
  if (!isAnyAddress(host)) return url;
  const { protocol, port } = new URL(url);
  return `${protocol}//${hostname()}:${port}`;
}
