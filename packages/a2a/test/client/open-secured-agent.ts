import { createRemoteJWKSet, jwtVerify } from "jose";
import { A2AError } from "@parley/a2a";
import type { SecurityScheme } from "@parley/a2a";
import type { Serving } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import type { IdentityProvider } from "../fixtures/identity-provider/open-identity-provider.js";
import { openServer } from "../http/open-server.js";

export interface SecuredAgent extends AsyncDisposable {
  readonly url: string;
  /** Who called, in order; `null` for those who were refused. */
  readonly callers: readonly (string | null)[];
}

/** An agent that takes the tokens of a provider with the scope `call`, and says who calls it. */
export async function openSecuredAgent(
  { issuer, audience }: IdentityProvider,
  scheme: SecurityScheme = {
    openIdConnectSecurityScheme: { openIdConnectUrl: `${issuer}/.well-known/openid-configuration` },
  },
): Promise<SecuredAgent> {
  const callers: (string | null)[] = [];
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`), { cooldownDuration: 0 });
  const server: Serving = await openServer({
    agent: agent({
      name: "Secured",
      description: "Says who calls",
      capabilities: { extendedAgentCard: true },
      securitySchemes: { sso: scheme },
      securityRequirements: [{ schemes: { sso: { list: ["call"] } } }],
      run: ({ caller }) => `hello ${caller?.subject}`,
    }),
    extendedCard: ({ principal }, asked) => ({
      ...asked.card([]),
      description: `For ${principal?.subject}`,
    }),
    authenticate: async (request) => {
      const [, token = ""] = /^Bearer (.+)$/.exec(request.header("authorization") ?? "") ?? [];
      try {
        const { payload } = await jwtVerify(token, keys, { issuer, audience });
        if (payload["scope"] !== "call")
          throw new Error(`the scope is ${String(payload["scope"])}`);
        callers.push(payload.sub ?? "");
        return { subject: payload.sub ?? "" };
      } catch (cause) {
        callers.push(null);
        throw new A2AError("UNAUTHENTICATED", "no token of ours", { cause });
      }
    },
  });
  return { url: server.url, callers, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
