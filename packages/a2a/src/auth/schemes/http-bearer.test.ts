import { describe, expect, it } from "vitest";
import { bearer, credentials } from "../../../test/support/auth/credentials.js";
import { httpBearer } from "./http-bearer.js";
import { oauth2 } from "./oauth2.js";
import { openIdConnect } from "./open-id-connect.js";
import { known } from "../scheme.js";
import type { TokenVerifier } from "../scheme.js";

const verify: TokenVerifier = async (token) => known({ subject: token, scopes: [] });

const header = (authorization: string) => credentials({ headers: { authorization } });

describe("a bearer token", () => {
  const scheme = httpBearer({ verify, bearerFormat: "JWT" });

  it.each(["Bearer abc", "bearer abc", "BEARER  abc", " Bearer abc "])(
    "is read from %j",
    async (authorization) => {
      expect(await scheme.check(header(authorization))).toEqual(
        known({ subject: "abc", scopes: [] }),
      );
    },
  );

  it.each(["", "Bearer", "Bearer ", "Basic abc", "abc", `Bearer ${"x".repeat(20_000)}`])(
    "is not there in %.20j",
    async (authorization) => {
      expect(await scheme.check(header(authorization))).toEqual({ kind: "absent" });
    },
  );

  it.each(["Bearer a b", "Bearer a, Bearer b", "Bearer ä", 'Bearer "a"', "Bearer ="])(
    "is not valid in %j, and nobody is asked about it",
    async (authorization) => {
      expect(await scheme.check(header(authorization))).toMatchObject({ kind: "invalid" });
    },
  );

  it("is described with its format", () => {
    expect(scheme.description).toEqual({
      httpAuthSecurityScheme: { scheme: "bearer", bearerFormat: "JWT" },
    });
  });
});

describe("OAuth 2.0", () => {
  const clientCredentials = { tokenUrl: "https://id.example/token", scopes: { call: "Call" } };

  it("is described by its flow, and takes bearer tokens", async () => {
    const scheme = oauth2({ flows: { clientCredentials }, verify, description: "For programs" });
    expect(scheme.description).toEqual({
      oauth2SecurityScheme: { flows: { clientCredentials }, description: "For programs" },
    });
    expect(await scheme.check(bearer("abc"))).toMatchObject({ identity: { subject: "abc" } });
  });

  it("has one flow in a scheme", () => {
    const password = { tokenUrl: "https://id.example/token" };
    for (const flows of [{}, { clientCredentials, password }]) {
      expect(() => oauth2({ flows, verify })).toThrowError("has exactly one flow");
    }
  });
});

describe("OpenID Connect", () => {
  it.each(["https://id.example", "https://id.example/"])(
    "is described by the discovery document of %s",
    (issuer) => {
      expect(openIdConnect({ issuer, verify, description: "Staff" }).description).toEqual({
        openIdConnectSecurityScheme: {
          openIdConnectUrl: "https://id.example/.well-known/openid-configuration",
          description: "Staff",
        },
      });
    },
  );

  it("trusts no issuer over plain HTTP, except on this machine", () => {
    const audience = "a";
    for (const issuer of ["http://id.example", "http://127.evil.example", "ftp://localhost"]) {
      expect(() => openIdConnect({ issuer, audience })).toThrowError("is not an https URL");
    }
    for (const issuer of ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"]) {
      expect(() => openIdConnect({ issuer, audience })).not.toThrow();
    }
  });
});
