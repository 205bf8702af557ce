import type { Exchange } from "./exchange.js";
import { maxBodyBytes } from "./invoke.js";

/** Enough of a body to answer in the words of whoever sent it. */
const refusedBodyBytes = 64 * 1024;

/**
 * Why the caller is refused whatever it asks for, if it is: known before a body is read, so that who may
 * not call cannot make this server read much. Undefined as well where agents at one path differ in whom
 * they know, and the body says which of them is meant.
 */
export function refusalOf({ site, principal }: Exchange): Promise<unknown> | undefined {
  const [first, ...others] = site.hosts;
  if (first?.auth === undefined || others.some(({ auth }) => auth !== first.auth)) return undefined;
  return principal(first).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** How long a body may be. */
export function bodyLimit(exchange: Exchange, refusal: unknown): number {
  const limit = maxBodyBytes(exchange);
  return refusal === undefined ? limit : Math.min(limit, refusedBodyBytes);
}
