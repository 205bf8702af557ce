import { listOf, readHops } from "../binding/internal.js";
import type { HttpRequest } from "./http-message.js";

export interface PublicUrlOptions {
  readonly publicUrl?: string;
  readonly trustsProxy?: (address: string) => boolean;
}

/**
 * The URL of this server as its caller knows it: the configured one, else what a trusted proxy reports, else the
 * host that the request names. Without a trailing slash.
 */
export function publicUrlOf(request: HttpRequest, options: PublicUrlOptions): string {
  if (options.publicUrl !== undefined) return withoutSlash(options.publicUrl);
  const { isSecure = false, localHost = "localhost" } = request.connection ?? {};
  const forwarded = readForwarded(request, options);
  const proto = forwarded.proto ?? (isSecure ? "https" : "http");
  const host = [forwarded.host, request.header("host")].find(isHost) ?? localHost;
  return withoutSlash(`${proto}://${host}${forwarded.prefix ?? ""}${request.basePath ?? ""}`);
}

/** The host that a trusted proxy reports; `undefined` where it reports none, and from everyone else. */
export function forwardedHost(
  request: HttpRequest,
  options: Pick<PublicUrlOptions, "trustsProxy">,
): string | undefined {
  return options.trustsProxy === undefined ? undefined : readForwarded(request, options).host;
}

interface Forwarded {
  readonly proto?: string;
  readonly host?: string;
  readonly prefix?: string;
}

/** What a trusted proxy reports of the request that it received. */
function readForwarded(request: HttpRequest, { trustsProxy }: PublicUrlOptions): Forwarded {
  const { address } = request.connection ?? {};
  if (address === undefined || trustsProxy?.(address) !== true) return {};
  const { elements, addresses } = readHops((name) => request.header(name));
  const hops = 1 + countTrusted(addresses, trustsProxy);
  const element = nthFromEnd(elements, hops);
  const header = (name: string): string | undefined =>
    nthFromEnd(listOf(request.header(`x-forwarded-${name}`)), hops);
  const proto = (element?.get("proto") ?? header("proto"))?.toLowerCase();
  const host = element?.get("host") ?? withPort(header("host"), header("port"));
  const prefix = header("prefix");
  return {
    ...((proto === "http" || proto === "https") && { proto }),
    ...(host !== undefined && { host }),
    ...(prefix !== undefined && /^(?:\/[\w\-.~]+)+\/?$/.test(prefix) && { prefix }),
  };
}

/** Every proxy appends its hop. Counts the trusted ones at the end; a caller may have made up those before. */
function countTrusted(addresses: readonly string[], trusts: (address: string) => boolean): number {
  const untrusted = addresses.findLastIndex((address) => !trusts(address));
  return addresses.length - 1 - untrusted;
}

function nthFromEnd<T>(values: readonly T[], count: number): T | undefined {
  return values[Math.max(0, values.length - count)];
}

function withPort(host: string | undefined, port: string | undefined): string | undefined {
  const isComplete = host === undefined || port === undefined || /:\d+$/.test(host);
  return isComplete || port === "80" || port === "443" ? host : `${host}:${port}`;
}

/** Whether a text is a host and port, without characters that would end that part of a URL early. */
function isHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/.test(host);
}

function withoutSlash(url: string): string {
  return url.endsWith("/") ? url.slice(0, -1) : url;
}
