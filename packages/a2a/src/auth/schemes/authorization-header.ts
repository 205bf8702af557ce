import type { Credentials } from "../../protocol/internal.js";

const maxLength = 16_384;

/** The credentials of a scheme in `Authorization`; `undefined` when the header names another scheme. */
export function authorizationOf(credentials: Credentials, scheme: string): string | undefined {
  const header = credentials.header("authorization");
  if (header === undefined || header.length > maxLength) return undefined;
  const [, name = "", value] = /^([^ ]+) +(.+)$/.exec(header.trim()) ?? [];
  return name.toLowerCase() === scheme.toLowerCase() ? value : undefined;
}
