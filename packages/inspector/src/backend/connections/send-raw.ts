import type { Fetch } from "@parley/a2a/client";
import { badField, Refusal } from "../http/refusal.js";
import { runCall } from "../record/current-call.js";
import type { HopRing } from "../record/hop-ring.js";
import { reasonOf } from "../record/record-fetch.js";
import type { ParsedRaw } from "./parse-raw.js";

export interface RawContext {
  /** The origins that may be called. */
  readonly origins: readonly string[];
  /** What a path is relative to. */
  readonly base: string;
  readonly fetch: Fetch;
  readonly ring: HopRing;
  /** The value of a header that the page has only seen as `[redacted]`. */
  readonly secretOf: (name: string) => string | undefined;
}

const shown = "[redacted]";
const timeoutMs = 30_000;

/** Sends a request as it is, follows no redirect, and reads the answer to its end; resolves to the id of its hop. */
export async function sendRaw(
  { method, url: given, headers, body, resentFrom }: ParsedRaw,
  { origins, base, fetch, ring, secretOf }: RawContext,
): Promise<number> {
  if (!URL.canParse(given, base)) throw badField("url", "is no URL");
  const url = new URL(given, base);
  if (!origins.includes(url.origin)) {
    throw new Refusal(403, "PERMISSION_DENIED", `raw requests go to ${origins.join(" or ")} only`, {
      hint: "Connect to the other agent first.",
    });
  }
  const sent = new Headers();
  for (const [name, value] of headers) {
    if (automatic.has(name.toLowerCase())) continue;
    const secret = value === shown ? secretOf(name) : value;
    try {
      if (secret !== undefined) sent.append(name, secret);
    } catch {
      throw badField("headers", `has ${JSON.stringify(name)}, which cannot be sent`);
    }
  }
  const hops: number[] = [];
  const call = { hops, ...(resentFrom !== undefined && { resentFrom }) };
  try {
    await runCall(call, async () => {
      const signal = AbortSignal.timeout(timeoutMs);
      const init = { method, headers: sent, redirect: "manual", signal } as const;
      const response = await fetch(url.href, { ...init, ...(body !== undefined && { body }) });
      const reader = response.body?.getReader();
      while (reader !== undefined && !(await reader.read()).done);
    });
  } catch (error) {
    // The hop says so, too.
    const [hop] = hops;
    if (hop === undefined) throw new Refusal(502, "UNAVAILABLE", reasonOf(error));
    ring.find(hop)?.end({ error: reasonOf(error) });
  }
  const [hop] = hops;
  if (hop === undefined) throw new Refusal(502, "UNAVAILABLE", "nothing was sent");
  return hop;
}

/** Headers that the connection sets by itself. */
const automatic = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "keep-alive",
  "upgrade",
]);
