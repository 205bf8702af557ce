import { describe, expect, it } from "vitest";
import { currentCard } from "../../../test/fixtures/agent-cards.js";
import { verifies } from "../../../test/spec/verifies.js";
import type { JsonObject } from "../../protocol/internal.js";
import { encodeCardForm } from "../card-forms.js";
import { asJson } from "../members/as-json.js";
import { canonicalizeAgentCard, listUncovered } from "./card-canonical.js";
import type { CanonicalForm } from "./card-canonical.js";

function canonical(card: JsonObject, form?: CanonicalForm): string {
  return new TextDecoder().decode(canonicalizeAgentCard(card, form));
}

/** The example that §8.4.1 works out. */
const example = {
  name: "Example Agent",
  description: "",
  capabilities: { streaming: false, pushNotifications: false, extensions: [] },
  skills: [],
};

describe("the canonical form of a card", () => {
  it("is that of the example in the specification, to the byte", () => {
    verifies(
      "signature:canonical",
      "signature:required-kept",
      "signature:optional-set-kept",
      "signature:defaults-dropped",
    );
    expect(canonical(example)).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    );
  });

  it("has no signatures in it", () => {
    verifies("signature:signatures-dropped");
    const signatures = [{ protected: "p", signature: "s" }];
    expect(canonical({ ...example, signatures })).toBe(canonical(example));
    expect(canonical({ ...example, signatures }, "stripped")).toBe(canonical(example, "stripped"));
  });

  it.each<[string, JsonObject, string]>([
    [
      "members in the order of their UTF-16 units",
      { "\ue000": 1, "\u{1f600}": 2, a: 3 },
      '{"a":3,"\u{1f600}":2,"\ue000":1}',
    ],
    ["text beyond ASCII as it is", { name: "Café €" }, '{"name":"Café €"}'],
    ["control characters escaped", { name: "\u0001\n" }, '{"name":"\\u0001\\n"}'],
    [
      "numbers as JavaScript writes them",
      { x: 1e21, y: 0.000001, z: -0 },
      '{"x":1e+21,"y":0.000001,"z":0}',
    ],
  ])("has %s", (_, card, expected) => {
    expect(canonical(card)).toBe(expected);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      "a tenant",
      { supportedInterfaces: [{ url: "", tenant: "" }] },
      { supportedInterfaces: [{ url: "" }] },
    ],
    [
      "the scopes of a requirement",
      { securityRequirements: [{ schemes: { b: { list: [] } } }] },
      { securityRequirements: [{ schemes: { b: {} } }] },
    ],
    [
      "the schemes of a requirement",
      { skills: [{ securityRequirements: [{ schemes: {} }] }] },
      { skills: [{ securityRequirements: [{}] }] },
    ],
    [
      "whether an extension is required",
      { capabilities: { extensions: [{ uri: "u", required: false, description: "" }] } },
      { capabilities: { extensions: [{ uri: "u" }] } },
    ],
    ["lists and maps", { securitySchemes: {}, securityRequirements: [] }, {}],
    [
      "what describes a scheme",
      {
        securitySchemes: {
          a: { httpAuthSecurityScheme: { scheme: "", bearerFormat: "", description: "" } },
        },
      },
      { securitySchemes: { a: { httpAuthSecurityScheme: { scheme: "" } } } },
    ],
    [
      "what a flow does not require",
      {
        securitySchemes: {
          a: {
            oauth2SecurityScheme: {
              flows: { authorizationCode: { scopes: {}, refreshUrl: "", pkceRequired: false } },
              oauth2MetadataUrl: "",
            },
          },
          b: { oauth2SecurityScheme: { flows: { implicit: { scopes: {} } } } },
        },
      },
      {
        securitySchemes: {
          a: { oauth2SecurityScheme: { flows: { authorizationCode: { scopes: {} } } } },
          b: { oauth2SecurityScheme: { flows: { implicit: {} } } },
        },
      },
    ],
    [
      "what is null",
      { provider: null, iconUrl: null, capabilities: { streaming: null } },
      { capabilities: {} },
    ],
  ])("lacks defaults of %s", (_, card, expected) => {
    verifies("signature:defaults-dropped", "signature:optional-unset-dropped");
    expect(JSON.parse(canonical(card))).toEqual(expected);
  });

  it.each<[string, JsonObject]>([
    [
      "optional members that were set",
      { documentationUrl: "", iconUrl: "", capabilities: { extendedAgentCard: false } },
    ],
    [
      "messages that were set",
      { provider: {}, securitySchemes: { a: { mtlsSecurityScheme: {} } } },
    ],
    [
      "parameters of extensions as they are",
      { capabilities: { extensions: [{ params: { a: "", b: [], c: null } }] } },
    ],
    [
      "members that 1.0 does not know",
      { url: "", security: [{ b: [] }], additionalInterfaces: [], x: null },
    ],
    [
      "values of the wrong type",
      { securitySchemes: [], skills: "", securityRequirements: { a: 1 } },
    ],
    ["a member called __proto__", JSON.parse('{"__proto__":{"a":1},"name":""}') as JsonObject],
    [
      "members named like those of every object",
      { constructor: "", toString: [] } as unknown as JsonObject,
    ],
  ])("keeps %s", (_, card) => {
    expect(JSON.parse(canonical(card))).toEqual(card);
    expect(Object.keys(JSON.parse(canonical(card)) as object)).toEqual(
      Object.keys(card).toSorted(),
    );
  });

  it("does not exist for text that has no UTF-8", () => {
    expect(() => canonicalizeAgentCard({ name: "\ud800" })).toThrow();
  });
});

describe("the stripped forms", () => {
  it("lack every empty value, but not what is false or zero", () => {
    expect(canonical(example, "stripped")).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}',
    );
    const card = { name: "A", x: [{ y: [""] }, 0, null], capabilities: {} };
    expect(canonical(card, "stripped")).toBe('{"name":"A","x":[0]}');
    expect(canonical({ name: "" }, "stripped")).toBe("{}");
  });

  it("can be in ASCII alone", () => {
    const card = { name: "Café \u{1f600}\u007f" };
    expect(canonical(card, "stripped")).toBe('{"name":"Café \u{1f600}\u007f"}');
    expect(canonical(card, "stripped-ascii")).toBe('{"name":"Caf\\u00e9 \\ud83d\\ude00\\u007f"}');
  });

  it.each<[JsonObject, readonly string[]]>([
    [example, []],
    [{ ...example, capabilities: {}, skills: [{ id: "s", description: "", tags: [] }] }, []],
    [asJson({ ...currentCard, securityRequirements: [{ schemes: { b: { list: ["s"] } } }] }), []],
    [asJson(currentCard), ["securityRequirements[0]"]],
    [
      { securityRequirements: [{ schemes: { a: { list: ["s"] }, b: {} } }] },
      ["securityRequirements[0].schemes.b"],
    ],
    [{ securitySchemes: { m: { mtlsSecurityScheme: {} } } }, ["securitySchemes.m"]],
    [{ securitySchemes: { o: { oauth2SecurityScheme: { flows: {}, description: "d" } } } }, []],
    [{ skills: [{ id: "" }], supportedInterfaces: [{}] }, ["skills[0]", "supportedInterfaces[0]"]],
    [{ skills: [{ id: "s", tags: ["", "t"] }] }, ["skills[0].tags[0]"]],
    [{ provider: { url: "", organization: "" } }, ["provider"]],
    [
      { capabilities: { extensions: [{ uri: "u", params: { a: [1, {}] } }] } },
      ["capabilities.extensions[0].params.a[1]"],
    ],
    [{ url: "", security: [{ b: [] }], x: 1 }, ["url", "security"]],
    [encodeCardForm(currentCard, "blended"), ["securityRequirements[0]", "security"]],
  ])("of %j leave out what has a meaning: %j", (card, uncovered) => {
    expect(listUncovered(card).toSorted()).toEqual(uncovered.toSorted());
  });
});
