import { describe, expect, it } from "vitest";
import { violation } from "../../../test/support/violation.js";
import { Cursor } from "./cursor.js";
import { parseSecurityRequirement, parseSecurityScheme } from "./security-scheme.js";

const url = "https://a.example/auth";
const scopes = { read: "to read" };

describe("a security scheme", () => {
  it.each([
    { apiKeySecurityScheme: { location: "header", name: "X-Key", description: "d" } },
    { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } },
    { openIdConnectSecurityScheme: { openIdConnectUrl: url } },
    { mtlsSecurityScheme: {} },
    { oauth2SecurityScheme: { flows: {} } },
    {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: { authorizationUrl: url, tokenUrl: url, scopes, pkceRequired: true },
        },
        oauth2MetadataUrl: url,
      },
    },
    { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: url, scopes: {} } } } },
    { oauth2SecurityScheme: { flows: { implicit: {} } } },
    { oauth2SecurityScheme: { flows: { password: { tokenUrl: url, refreshUrl: url, scopes } } } },
    {
      oauth2SecurityScheme: {
        flows: { deviceCode: { deviceAuthorizationUrl: url, tokenUrl: url, scopes } },
      },
    },
  ])("that is as the model has it is returned itself: %j", (value) => {
    expect(parseSecurityScheme(value, new Cursor())).toBe(value);
  });

  it("is read under snake_case names, without nulls, defaults and what no one knows", () => {
    const given = {
      http_auth_security_scheme: {
        scheme: "Bearer",
        bearer_format: "",
        description: null,
        type: "http",
      },
      mtlsSecurityScheme: null,
    };
    expect(parseSecurityScheme(given, new Cursor())).toStrictEqual({
      httpAuthSecurityScheme: { scheme: "Bearer" },
    });
  });

  it.each<[object, string]>([
    [{}, ""],
    [{ type: "http", scheme: "bearer" }, ""],
    [{ mtlsSecurityScheme: {}, httpAuthSecurityScheme: { scheme: "x" } }, ""],
    [{ apiKeySecurityScheme: { name: "k" } }, "apiKeySecurityScheme.location"],
    [{ apiKeySecurityScheme: { name: "k", location: "body" } }, "apiKeySecurityScheme.location"],
    [{ apiKeySecurityScheme: { name: "", location: "query" } }, "apiKeySecurityScheme.name"],
    [{ httpAuthSecurityScheme: {} }, "httpAuthSecurityScheme.scheme"],
    [{ openIdConnectSecurityScheme: {} }, "openIdConnectSecurityScheme.openIdConnectUrl"],
    [{ oauth2SecurityScheme: {} }, "oauth2SecurityScheme.flows"],
    [
      { oauth2SecurityScheme: { flows: { implicit: {}, password: {} } } },
      "oauth2SecurityScheme.flows",
    ],
    [
      { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: url } } } },
      "oauth2SecurityScheme.flows.clientCredentials.scopes",
    ],
    [
      { oauth2SecurityScheme: { flows: { implicit: { scopes: { a: 1 } } } } },
      "oauth2SecurityScheme.flows.implicit.scopes.a",
    ],
  ])("is refused at the member that is wrong: %j", (value, field) => {
    expect(violation(() => parseSecurityScheme(value, new Cursor()))).toMatchObject({
      code: "INVALID_PARAMS",
      field,
    });
  });
});

describe("a security requirement", () => {
  it.each([{ schemes: {} }, { schemes: { a: {}, b: { list: ["read"] } } }])(
    "that is as the model has it is returned itself: %j",
    (value) => {
      expect(parseSecurityRequirement(value, new Cursor())).toBe(value);
    },
  );

  it("loses empty lists of scopes", () => {
    const given = { schemes: { a: { list: [] } } };
    expect(parseSecurityRequirement(given, new Cursor())).toStrictEqual({ schemes: { a: {} } });
  });

  it.each<[unknown, string]>([
    [{}, "schemes"],
    [{ schemes: [] }, "schemes"],
    [{ schemes: { a: [] } }, "schemes.a"],
    [{ schemes: { a: { list: [1] } } }, "schemes.a.list[0]"],
    [JSON.parse('{"schemes":{"__proto__":{}}}'), "schemes.__proto__"],
  ])("is refused at the member that is wrong: %j", (value, field) => {
    expect(violation(() => parseSecurityRequirement(value, new Cursor())).field).toBe(field);
  });
});
