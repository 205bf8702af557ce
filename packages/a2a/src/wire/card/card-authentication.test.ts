import { describe, expect, it } from "vitest";
import { currentCard } from "../../../test/fixtures/agent-cards.js";
import type { SecurityScheme } from "../../protocol/internal.js";
import { Cursor } from "../../protocol/parse/internal.js";
import { decodeCardAuthentication, encodeCardAuthentication } from "./card-authentication.js";

const tokenUrl = "https://t.example/token";
const authorizationUrl = "https://t.example/authorize";

describe("an authentication scheme of 0.1", () => {
  it.each<[string, string | undefined, SecurityScheme]>([
    ["Bearer", undefined, { httpAuthSecurityScheme: { scheme: "Bearer" } }],
    ["Basic", "not json", { httpAuthSecurityScheme: { scheme: "Basic" } }],
    ["Digest", "[1]", { httpAuthSecurityScheme: { scheme: "Digest" } }],
    ["ApiKey", undefined, { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } }],
    [
      "api_key",
      '{"in":"cookie","name":"k"}',
      { apiKeySecurityScheme: { location: "cookie", name: "k" } },
    ],
    ["OAuth2", undefined, { oauth2SecurityScheme: { flows: {} } }],
    [
      "OAuth2",
      JSON.stringify({ tokenUrl, authorizationUrl, scopes: { s: "S", t: 1 } }),
      {
        oauth2SecurityScheme: {
          flows: { authorizationCode: { tokenUrl, authorizationUrl, scopes: { s: "S", t: "" } } },
        },
      },
    ],
    [
      "oauth2",
      JSON.stringify({ tokenUrl, refreshUrl: tokenUrl }),
      {
        oauth2SecurityScheme: {
          flows: { clientCredentials: { tokenUrl, refreshUrl: tokenUrl, scopes: {} } },
        },
      },
    ],
    [
      "OAuth2",
      JSON.stringify({ authorizationUrl }),
      { oauth2SecurityScheme: { flows: { implicit: { authorizationUrl, scopes: {} } } } },
    ],
    ["openIdConnect", undefined, { httpAuthSecurityScheme: { scheme: "Bearer" } }],
    [
      "openIdConnect",
      JSON.stringify({ openIdConnectUrl: tokenUrl }),
      { openIdConnectSecurityScheme: { openIdConnectUrl: tokenUrl } },
    ],
    ["mutualTLS", undefined, { mtlsSecurityScheme: {} }],
  ])("%s with the credentials %j is read", (name, credentials, scheme) => {
    const json = { schemes: [name], ...(credentials !== undefined && { credentials }) };
    expect(decodeCardAuthentication(json, new Cursor())).toEqual({
      securitySchemes: { [name]: scheme },
      securityRequirements: [{ schemes: { [name]: {} } }],
    });
  });

  it.each([{}, { schemes: [] }, { type: "http" }])("is not to be had from %j", (json) => {
    expect(decodeCardAuthentication(json, new Cursor())).toEqual({});
  });

  it.each<[SecurityScheme, string]>([
    [{ httpAuthSecurityScheme: { scheme: "bearer" } }, "Bearer"],
    [{ apiKeySecurityScheme: { location: "header", name: "k" } }, "ApiKey"],
    [{ oauth2SecurityScheme: { flows: {} } }, "OAuth2"],
    [{ openIdConnectSecurityScheme: { openIdConnectUrl: tokenUrl } }, "OpenIdConnect"],
    [{ mtlsSecurityScheme: {} }, "MutualTLS"],
  ])("stands for %j", (scheme, name) => {
    expect(encodeCardAuthentication({ ...currentCard, securitySchemes: { b: scheme } })).toEqual({
      schemes: [name],
    });
  });

  it("is written only where the card requires one it has", () => {
    expect(encodeCardAuthentication({ ...currentCard, securityRequirements: [] })).toBeUndefined();
    expect(encodeCardAuthentication({ ...currentCard, securitySchemes: {} })).toBeUndefined();
  });
});
