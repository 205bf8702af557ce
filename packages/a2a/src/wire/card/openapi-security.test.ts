import { describe, expect, it } from "vitest";
import { currentCard } from "../../../test/fixtures/agent-cards.js";
import { verifies } from "../../../test/spec/verifies.js";
import type { SecurityScheme } from "../../protocol/internal.js";
import { Cursor } from "../../protocol/parse/internal.js";
import {
  decodeSecurityRequirement,
  decodeSecurityScheme,
  encodeSecurityRequirement,
  encodeSecurityScheme,
} from "./openapi-security.js";
import { withoutNewerFlows } from "./without-newer-flows.js";
import {
  decodeSecurityScheme as decodeWrapped,
  encodeSecurityScheme as encodeWrapped,
} from "./wrapped-security.js";

const tokenUrl = "https://t.example/token";
const authorizationUrl = "https://t.example/authorize";

/** Each kind of scheme in the form of OpenAPI, in the wrapped one and as some peers print it. */
const kinds: [keyof SecurityScheme, object, SecurityScheme][] = [
  [
    "apiKeySecurityScheme",
    { type: "apiKey", in: "cookie", name: "k", description: "d" },
    { apiKeySecurityScheme: { location: "cookie", name: "k", description: "d" } },
  ],
  [
    "httpAuthSecurityScheme",
    { type: "http", scheme: "bearer", bearerFormat: "JWT" },
    { httpAuthSecurityScheme: { scheme: "bearer", bearerFormat: "JWT" } },
  ],
  [
    "oauth2SecurityScheme",
    {
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl, scopes: { s: "S" } } },
      oauth2MetadataUrl: "https://t.example/metadata",
    },
    {
      oauth2SecurityScheme: {
        flows: { clientCredentials: { tokenUrl, scopes: { s: "S" } } },
        oauth2MetadataUrl: "https://t.example/metadata",
      },
    },
  ],
  [
    "openIdConnectSecurityScheme",
    { type: "openIdConnect", openIdConnectUrl: "https://t.example/oidc" },
    { openIdConnectSecurityScheme: { openIdConnectUrl: "https://t.example/oidc" } },
  ],
  ["mtlsSecurityScheme", { type: "mutualTLS" }, { mtlsSecurityScheme: {} }],
];

describe.each(kinds)("a scheme of the kind %s", (kind, openApi, scheme) => {
  it("is read and written as OpenAPI describes it", () => {
    expect(decodeSecurityScheme(openApi, new Cursor())).toEqual(scheme);
    expect(encodeSecurityScheme(scheme)).toEqual(openApi);
  });

  it("is read and written behind the member that names it", () => {
    verifies("card:scheme-variant", "card:scheme-fields");
    expect(decodeWrapped(scheme, new Cursor())).toEqual(scheme);
    expect(encodeWrapped(scheme)).toEqual(scheme);
  });

  it("is read as some peers print a oneof", () => {
    const printed = { scheme: { $case: kind, value: scheme[kind] } };
    expect(decodeWrapped(printed, new Cursor())).toEqual(scheme);
  });
});

describe("a scheme", () => {
  it("is refused when it is of two kinds or of none", () => {
    const both = { httpAuthSecurityScheme: { scheme: "b" }, mtlsSecurityScheme: {} };
    for (const value of [both, {}]) {
      expect(() => decodeWrapped(value, new Cursor())).toThrow(/exactly one of/);
    }
  });

  it("has its flow unwrapped where peers print it as a oneof", () => {
    const flow = { $case: "password", value: { tokenUrl, refreshUrl: "", scopes: {} } };
    const value = { flows: { flow }, description: "", oauth2MetadataUrl: "" };
    const printed = { scheme: { $case: "oauth2SecurityScheme", value } };
    expect(decodeWrapped(printed, new Cursor())).toEqual({
      oauth2SecurityScheme: { flows: { password: { tokenUrl } } },
    });
  });

  it("gets the members that the schema requires of the deprecated flows", () => {
    expect(encodeSecurityScheme({ oauth2SecurityScheme: { flows: { implicit: {} } } })).toEqual({
      type: "oauth2",
      flows: { implicit: { authorizationUrl: "", scopes: {} } },
    });
  });
});

describe("a requirement", () => {
  it.each([
    [{ b: ["s"], c: [] }, { schemes: { b: { list: ["s"] }, c: {} } }],
    [{}, { schemes: {} }],
    [{ schemes: ["s"] }, { schemes: { schemes: { list: ["s"] } } }],
  ])("%j is read and written", (json, requirement) => {
    expect(decodeSecurityRequirement(json, new Cursor())).toEqual(requirement);
    expect(encodeSecurityRequirement(requirement)).toEqual(json);
  });
});

describe("what only 1.0 has among schemes", () => {
  const deviceCode = {
    deviceAuthorizationUrl: "https://t.example/device",
    tokenUrl,
    scopes: {},
  };
  const device: SecurityScheme = { oauth2SecurityScheme: { flows: { deviceCode } } };
  const described: SecurityScheme = {
    oauth2SecurityScheme: { flows: { deviceCode }, oauth2MetadataUrl: "https://t.example/m" },
  };
  const code: SecurityScheme = {
    oauth2SecurityScheme: {
      flows: {
        authorizationCode: { authorizationUrl, tokenUrl, scopes: {}, pkceRequired: true },
      },
    },
  };
  const card = withoutNewerFlows({
    ...currentCard,
    securitySchemes: { device, described, code },
    securityRequirements: [
      { schemes: { device: {} } },
      { schemes: { device: {}, code: {} } },
      { schemes: { described: {} } },
      { schemes: { elsewhere: {} } },
    ],
    skills: [
      {
        id: "s",
        name: "S",
        description: "",
        tags: [],
        securityRequirements: [{ schemes: { device: {} } }],
      },
    ],
  });

  it("is left out, and a scheme without flows kept if its metadata tell more", () => {
    expect(card.securitySchemes).toEqual({
      described: { oauth2SecurityScheme: { flows: {}, oauth2MetadataUrl: "https://t.example/m" } },
      code: {
        oauth2SecurityScheme: {
          flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes: {} } },
        },
      },
    });
  });

  it("takes along the requirements that cannot be satisfied without it", () => {
    expect(card.securityRequirements).toEqual([
      { schemes: { described: {} } },
      { schemes: { elsewhere: {} } },
    ]);
    expect(card.skills[0]).not.toHaveProperty("securityRequirements");
  });

  it("is no part of a card without schemes", () => {
    const { securitySchemes: _, ...bare } = currentCard;
    expect(withoutNewerFlows(bare)).toBe(bare);
  });
});
