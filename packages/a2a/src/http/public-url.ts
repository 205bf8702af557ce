import type { HttpRequest } from "./http-message.js";

export interface PublicUrlOptions {
  readonly publicUrl?: string;
  readonly trustsProxy?: (address: string) => boolean;
}

/**
 * The URL of this server as its caller knows it: as configured, else as a trusted proxy says, else as
 * the request was addressed. Without a trailing slash.
 */
export function publicUrlOf(request: HttpRequest, options: PublicUrlOptions): string {
  if (options.publicUrl !== undefined) return withoutSlash(options.publicUrl);
  const { address, isSecure = false } = request.connection ?? {};
  const isTrusted = address !== undefined && options.trustsProxy?.(address) === true;
  const forwarded = isTrusted ? readForwarded(request) : {};
  const proto = forwarded.proto ?? (isSecure ? "https" : "http");
  const host = forwarded.host ?? request.header("host") ?? "localhost";
  const prefix = forwarded.prefix ?? "";
  return isHost(host) ? withoutSlash(`${proto}://${host}${prefix}`) : `${proto}://localhost`;
}

interface Forwarded {
  readonly proto?: string;
  readonly host?: string;
  readonly prefix?: string;
}

/** RFC 7239 first, then what most proxies send. The first value is the one nearest the caller. */
function readForwarded(request: HttpRequest): Forwarded {
  const [nearest = ""] = (request.header("forwarded") ?? "").split(",");
  const pairs = new Map(
    nearest.split(";").map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split("=", 2);
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")];
    }),
  );
  const proto = pairs.get("proto") ?? first(request.header("x-forwarded-proto"));
  const host = pairs.get("host") ?? first(request.header("x-forwarded-host"));
  const prefix = first(request.header("x-forwarded-prefix"));
  return {
    ...((proto === "http" || proto === "https") && { proto }),
    ...(host !== undefined && { host }),
    ...(prefix !== undefined && /^\/[\w\-./~]*$/.test(prefix) && { prefix }),
  };
}

function first(value: string | undefined): string | undefined {
  const [head] = (value ?? "").split(",");
  return head === undefined || head.trim() === "" ? undefined : head.trim();
}

/** What may stand in a URL as host and port, and nothing that could end it early. */
function isHost(host: string): boolean {
  return /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/.test(host);
}

function withoutSlash(url: string): string {
  return url.endsWith("/") ? url.slice(0, -1) : url;
}
