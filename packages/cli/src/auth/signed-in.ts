import type { Fetch, TokenSource } from "@parley/a2a/client";
import type { Reference } from "../connect/read-reference.js";
import { readSources, surroundings } from "../options/env-files.js";
import { agentOrigin } from "./agent-origin.js";
import { readLogins } from "./logins.js";

/**
 * The source of the tokens that `auth login` has kept for an agent; `undefined` when nobody has signed in. It refreshes
 * tokens, and never asks anybody for anything.
 */
export function signedIn(
  given: string,
  reference: Reference,
  { fetch, config }: { readonly fetch?: Fetch | undefined; readonly config?: string | undefined },
): TokenSource | undefined {
  const around = surroundings();
  const { configFolder } = around;
  const origin = agentOrigin(given, reference);
  const login = origin === undefined ? undefined : readLogins(configFolder)[origin];
  if (origin === undefined || login === undefined) return undefined;
  return async (request) => {
    const { tokenSourceFor } = await import("./token-source.js");
    const variable = "A2ACLI_CLIENT_SECRET";
    const clientSecret = readSources(around, config).find(({ variables }) => variables[variable])
      ?.variables[variable];
    const onCode = (): never => {
      throw new Error("the sign-in has expired; sign in again");
    };
    // Tokens are kept by the origin that was signed in to, also for another port of the agent.
    return tokenSourceFor(login, { configFolder, clientSecret, fetch, onCode })({
      ...request,
      origin,
    });
  };
}
