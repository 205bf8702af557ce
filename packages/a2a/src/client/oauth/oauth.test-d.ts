import { describe, expectTypeOf, it } from "vitest";
import { connect } from "../connect.js";
import type { TokenRequest, TokenSource } from "../credentials/secret.js";
import type { RemoteAgent } from "../remote-agent.js";
import { authorizationCode } from "./authorization-code.js";
import { clientCredentials } from "./client-credentials.js";
import type { CodeReceiver } from "./code-receiver.js";
import { deviceCode } from "./device-code.js";
import type { DeviceCodePrompt } from "./device-code.js";
import { pageRedirect } from "./page-redirect.js";
import { createMemoryTokenStore } from "./token-store.js";
import type { TokenStore } from "./token-store.js";

const issuer = "https://id.example";
const clientId = "c";

describe("a source of tokens", () => {
  it("is what every flow makes, and what connect takes", () => {
    const program = clientCredentials({ issuer, clientId, clientSecret: "s" });
    const terminal = deviceCode({
      clientId,
      onCode: (prompt) => void expectTypeOf(prompt).toEqualTypeOf<DeviceCodePrompt>(),
    });
    const page = authorizationCode({ clientId, receiver: pageRedirect({ redirectUri: issuer }) });
    expectTypeOf([program, terminal, page]).toEqualTypeOf<TokenSource[]>();
    const open = () => connect(issuer, { credentials: { sso: program }, extendedCard: true });
    expectTypeOf(open).returns.resolves.toEqualTypeOf<RemoteAgent>();
  });

  it("can be a function of the caller's own, which knows what it is asked", () => {
    const open = () =>
      connect(issuer, {
        credentials: {
          sso: (request) => {
            expectTypeOf(request).toEqualTypeOf<TokenRequest>();
            return request.refused === undefined ? "first" : "second";
          },
        },
      });
    expectTypeOf(open).returns.resolves.toEqualTypeOf<RemoteAgent>();
  });

  it("has no secret without an issuer that it is for", () => {
    // @ts-expect-error a program always has a secret
    clientCredentials.bind(undefined, { clientId, clientSecret: "s" });
    // @ts-expect-error a secret is for an issuer
    deviceCode.bind(undefined, { clientId, clientSecret: "s", onCode: () => undefined });
    deviceCode.bind(undefined, { issuer, clientId, clientSecret: "s", onCode: () => undefined });
  });

  it("keeps its tokens where it is told", () => {
    expectTypeOf(createMemoryTokenStore).returns.toEqualTypeOf<TokenStore>();
    expectTypeOf(pageRedirect).returns.toEqualTypeOf<CodeReceiver>();
  });
});
