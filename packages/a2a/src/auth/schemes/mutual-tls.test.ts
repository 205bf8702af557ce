import { describe, expect, it } from "vitest";
import { credentials } from "../../../test/support/auth/credentials.js";
import type { PeerCertificate } from "../../protocol/internal.js";
import { alternativeNames } from "./alternative-names.js";
import { mutualTls } from "./mutual-tls.js";
import type { MutualTlsOptions } from "./mutual-tls.js";
import { invalid, known } from "../scheme.js";

const ada: PeerCertificate = {
  subject: { CN: "ada", O: "Example" },
  subjectaltname: "URI:spiffe://example.com/ada, DNS:ada.example.com, email:ada@example.com",
  fingerprint256: "0A:FF:10",
};

const check = (options: MutualTlsOptions, certificate: PeerCertificate) =>
  mutualTls(options).check(credentials({ certificate }));

describe("a client certificate", () => {
  it.each([
    ["uri", "spiffe://example.com/ada"],
    ["dns", "ada.example.com"],
    ["email", "ada@example.com"],
    ["commonName", "ada"],
    ["fingerprint", "0aff10"],
  ] as const)("names its owner by its %s", async (subject, name) => {
    expect(await check({ subject }, ada)).toEqual(known({ subject: name, scopes: [] }));
  });

  it("names its owner as a function says", async () => {
    const subject = ({ subject: { O } }: PeerCertificate) => O?.toString();
    expect(await check({ subject }, ada)).toMatchObject({ identity: { subject: "Example" } });
    expect(await check({ subject: () => undefined }, ada)).toMatchObject({ kind: "invalid" });
  });

  it.each([
    ["two of a kind", { ...ada, subjectaltname: "DNS:a.example, DNS:b.example" }],
    ["none of the kind", { ...ada, subjectaltname: "URI:https://a.example" }],
    ["none at all", { ...ada, subjectaltname: undefined }],
  ])("with %s names nobody", async (_, certificate) => {
    expect(await check({ subject: "dns" }, certificate)).toEqual(
      invalid("no name in the certificate"),
    );
  });

  it("with several common names names nobody", async () => {
    const several = { ...ada, subject: { CN: ["ada", "admin"] } };
    expect(await check({ subject: "commonName" }, several)).toMatchObject({ kind: "invalid" });
  });

  it("is one of the clients that are known, where they are", async () => {
    const clients = { ada: ["read"] };
    expect(await check({ subject: "commonName", clients }, ada)).toEqual(
      known({ subject: "ada", scopes: ["read"] }),
    );
    const bob = { ...ada, subject: { CN: "bob" } };
    expect(await check({ subject: "commonName", clients }, bob)).toEqual(invalid("unknown client"));
    const inherited = { ...ada, subject: { CN: "toString" } };
    expect(await check({ subject: "commonName", clients }, inherited)).toMatchObject({
      kind: "invalid",
    });
  });

  it("may not be there", async () => {
    const scheme = mutualTls({ subject: "uri", description: "Ask us" });
    expect(await scheme.check(credentials())).toEqual({ kind: "absent" });
    expect(scheme.description).toEqual({ mtlsSecurityScheme: { description: "Ask us" } });
  });
});

describe("alternative names", () => {
  it("are told apart also where a value has commas and quotes", () => {
    const text = String.raw`URI:"http://a.example/, DNS:evil.example", DNS:good.example, IP Address:::1`;
    expect(alternativeNames(text)).toEqual([
      { kind: "URI", value: "http://a.example/, DNS:evil.example" },
      { kind: "DNS", value: "good.example" },
      { kind: "IP Address", value: "::1" },
    ]);
  });

  it.each(["DNS", 'DNS:"a', "DNS:a,DNS:b", ", DNS:a", 'DNS:a"b'])(
    "are none at all in %j, which cannot be read",
    (text) => {
      expect(alternativeNames(text)).toEqual([]);
    },
  );
});
