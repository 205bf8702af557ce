import { createLocalJWKSet, createRemoteJWKSet, customFetch } from "jose";
import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { bytesIn } from "./push-request.js";

/** Where the keys of an agent come from. */
export interface AgentKeysOptions {
  readonly agent: string;
  readonly keysUrl?: string;
  readonly keys?: JSONWebKeySet;
  readonly fetch?: typeof fetch;
}

/** The keys of an agent, and where they were looked for: nowhere, if they were given. */
export interface AgentKeys {
  readonly find: JWTVerifyGetKey;
  readonly places: readonly string[];
}

/** No key set was found. The message says what each place has answered. */
export class NoKeySet extends Error {}

const keySetPath = "/.well-known/jwks.json";
/** A key has less than 2 KB, and a set has few of them. */
const maxKeySetBytes = 1024 * 1024;

/**
 * The keys of an agent: those given, those at `keysUrl`, or else those below the agent's URL or at its origin, in this
 * order. Looks nowhere else, whatever a notification or a redirect says.
 */
export function findAgentKeys(options: AgentKeysOptions): AgentKeys {
  if (options.keys !== undefined) return { find: createLocalJWKSet(options.keys), places: [] };
  const places = placesOf(options);
  const fetchSet = async (_: string, init: RequestInit): Promise<Response> => {
    const answers: string[] = [];
    for (const place of places) {
      const answer = await ask(place, init, options.fetch ?? fetch);
      if (typeof answer !== "string") return new Response(answer);
      answers.push(`${place} ${answer}`);
    }
    throw new NoKeySet(answers.join(", "));
  };
  // jose reads a set again when it is old or lacks a key; this library decides where from.
  const find = createRemoteJWKSet(new URL(places[0] ?? ""), { [customFetch]: fetchSet });
  return { find, places };
}

function placesOf({ agent, keysUrl }: AgentKeysOptions): readonly string[] {
  const base = urlOf("agent", agent);
  if (keysUrl !== undefined) return [urlOf("keysUrl", keysUrl, agent).href];
  const path = base.pathname.replace(/\/\.well-known\/[^/]*\.json$/, "").replace(/\/+$/, "");
  return [...new Set([`${base.origin}${path}${keySetPath}`, `${base.origin}${keySetPath}`])];
}

function urlOf(option: string, text: string, base?: string): URL {
  try {
    const url = new URL(text, base);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Not a URL at all.
  }
  const given = JSON.stringify(text);
  throw new Error(
    `createPushVerifier: ${option} is ${given}; expected a URL such as https://agents.example.com/travel`,
  );
}

/** The bytes of a key set, or what is wrong with the answer. */
async function ask(
  url: string,
  init: RequestInit,
  fetchFrom: typeof fetch,
): Promise<Uint8Array<ArrayBuffer> | string> {
  try {
    const response = await fetchFrom(url, init);
    const { status } = response;
    if (status !== 200) {
      await response.body?.cancel();
      const isRedirect = status >= 300 && status < 400;
      return `answered ${status}${isRedirect ? ", a redirect, which is not followed" : ""}`;
    }
    const bytes = await bytesIn(response.body, maxKeySetBytes);
    if (bytes === undefined) return `answered 200 with more than ${maxKeySetBytes} bytes`;
    return isKeySet(bytes) ? bytes : `answered 200 with a body that is no JSON Web Key Set`;
  } catch (error) {
    return `cannot be reached (${reasonOf(error)})`;
  }
}

function isKeySet(bytes: Uint8Array): boolean {
  try {
    const set = JSON.parse(new TextDecoder().decode(bytes)) as { readonly keys?: unknown } | null;
    return Array.isArray(set?.keys);
  } catch {
    return false;
  }
}

/** Node's `fetch` hides what happened in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { readonly cause?: unknown };
  const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
  return String(typeof code === "string" ? code : (message ?? error));
}
