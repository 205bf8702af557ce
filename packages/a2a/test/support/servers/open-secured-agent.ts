import { createAuthenticator, jwt, openIdConnect } from "@parley/a2a/auth";
import type { Scheme } from "@parley/a2a/auth";
import type { JwtOptions } from "../../../src/auth/tokens/jwt.js";
import { agent } from "@parley/a2a/server";
import type { IdentityProvider } from "../auth/identity-provider/open-identity-provider.js";
import { openServer } from "./open-server.js";
import type { ServerOptions } from "./open-server.js";

export interface SecuredAgent extends AsyncDisposable {
  readonly url: string;
  /** The verdict on each token that the agent was shown, in order. */
  readonly verdicts: readonly string[];
}

/** Verifies the tokens of a provider, and fetches its keys again without a pause. */
export function verifierOf({ issuer, audience }: IdentityProvider): ReturnType<typeof jwt> {
  return jwt(tokensOf({ issuer, audience }));
}

const tokensOf = (expected: Pick<JwtOptions, "issuer" | "audience">): JwtOptions => ({
  ...expected,
  jwksCooldownMs: 0,
});

/** Opens an agent that accepts tokens of a provider with the scope `call`, and answers with the caller. */
export async function openSecuredAgent(
  provider: IdentityProvider,
  scheme: Scheme = openIdConnect(tokensOf(provider)),
  options: ServerOptions = {},
): Promise<SecuredAgent> {
  const verdicts: string[] = [];
  const heard: Scheme = {
    ...scheme,
    async check(credentials) {
      const verdict = await scheme.check(credentials);
      verdicts.push(verdict.kind);
      return verdict;
    },
  };
  const server = await openServer({
    ...options,
    agent: agent({
      name: "Secured",
      description: "Says who calls",
      extendedCard: (card, { principal }) => ({
        ...card,
        description: `For ${principal?.subject.split("#")[1]}`,
      }),
      run: ({ caller }) => `hello ${caller?.subject.split("#")[1]}`,
    }),
    auth: createAuthenticator({ schemes: { sso: heard }, requirements: [{ sso: ["call"] }] }),
  });
  return { url: server.url, verdicts, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
