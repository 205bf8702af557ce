/** An agent for callers with an API key or with a token of an OpenID provider. */
import { agent } from "@parley/a2a";
import { apiKey, createAuthenticator, openIdConnect } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";

const greeter = agent({
  name: "Greeter",
  description: "Knows who you are",
  run: ({ caller }) => `Hello, ${caller?.subject}!`,
});

const auth = createAuthenticator({
  schemes: {
    key: apiKey({
      in: "header",
      name: "X-API-Key",
      // createKey() makes both: the caller gets the key, the server keeps the hash.
      keys: [{ subject: "reports", hash: process.env["REPORTS_KEY_HASH"] ?? "0".repeat(64) }],
    }),
    oidc: openIdConnect({
      issuer: "https://id.example.com",
      audience: "https://agents.example.com",
    }),
  },
  requirements: [{ key: [] }, { oidc: ["greetings"] }],
});

const { url } = await serve(greeter, { auth });
console.log(`${greeter.name} is at ${url}`);
