import type { Credentials } from "../../protocol/internal.js";
import { keyTable } from "../tokens/key-table.js";
import type { StoredKey } from "../tokens/key-table.js";
import { absent } from "../scheme.js";
import type { Scheme, TokenVerifier } from "../scheme.js";

export interface ApiKeyOptions {
  readonly in: "header" | "query" | "cookie";
  /** Of the header, the parameter or the cookie. */
  readonly name: string;
  /** The keys that are valid, or whoever knows them. */
  readonly keys: readonly StoredKey[] | TokenVerifier;
  readonly description?: string;
}

/** A key that callers send with every request. */
export function apiKey({ in: location, name, keys, description }: ApiKeyOptions): Scheme {
  const verify = typeof keys === "function" ? keys : keyTable(keys);
  return {
    description: {
      apiKeySecurityScheme: { location, name, ...(description !== undefined && { description }) },
    },
    // No such scheme is registered, but a refusal has to name one.
    challenge: { scheme: "ApiKey", parameters: { in: location, name } },
    async check(credentials) {
      const key = read(credentials, location, name);
      return key === undefined ? absent : verify(key);
    },
  };
}

function read(
  credentials: Credentials,
  location: ApiKeyOptions["in"],
  name: string,
): string | undefined {
  if (location === "header") return credentials.header(name.toLowerCase());
  return location === "query" ? credentials.query(name) : credentials.cookie(name);
}
