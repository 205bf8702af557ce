import type { Credentials } from "../../protocol/internal.js";
import { keyTable } from "../tokens/key-table.js";
import type { StoredKey } from "../tokens/key-table.js";
import { absent } from "../scheme.js";
import type { Scheme, TokenVerifier } from "../scheme.js";

export interface ApiKeyOptions {
  readonly in: "header" | "query" | "cookie";
  /** The name of the header, of the query parameter or of the cookie. */
  readonly name: string;
  /** The valid keys, or a verifier of keys. */
  readonly keys: readonly StoredKey[] | TokenVerifier;
  readonly description?: string;
}

/** A scheme whose callers send a key with every request. */
export function apiKey({ in: location, name, keys, description }: ApiKeyOptions): Scheme {
  const verify = typeof keys === "function" ? keys : keyTable(keys);
  return {
    description: {
      apiKeySecurityScheme: { location, name, ...(description !== undefined && { description }) },
    },
    // No HTTP authentication scheme is registered for API keys, but a challenge has to name one.
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
