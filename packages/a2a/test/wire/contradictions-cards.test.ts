import { describe, expect, it } from "vitest";
import type { AgentCard, JsonObject } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import { decodeAgentCard } from "../../src/wire/decode-agent-card.js";

const url = "https://a.example/rpc";

/** A peer's card, of which a test gives what it is about. */
function read(members: JsonObject): AgentCard {
  return decodeAgentCard({
    name: "A",
    description: "d",
    version: "1",
    url,
    skills: [],
    ...members,
  });
}

describe("C26 authentication in a card", () => {
  const http = {
    securitySchemes: { b: { type: "http", scheme: "bearer" } },
    security: [{ b: [] }],
  };

  it.each<[string, JsonObject, Pick<AgentCard, "securitySchemes" | "securityRequirements">]>([
    [
      "the schemes of OpenAPI",
      http,
      {
        securitySchemes: { b: { httpAuthSecurityScheme: { scheme: "bearer" } } },
        securityRequirements: [{ schemes: { b: {} } }],
      },
    ],
    [
      "one type and scheme",
      { authentication: { type: "http", scheme: "bearer", description: "A token" } },
      {
        securitySchemes: {
          bearer: { httpAuthSecurityScheme: { scheme: "bearer", description: "A token" } },
        },
        securityRequirements: [{ schemes: { bearer: {} } }],
      },
    ],
    [
      "the list of 0.1, of which any will do",
      { authentication: { schemes: ["Bearer", "Basic"] } },
      {
        securitySchemes: {
          Bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
          Basic: { httpAuthSecurityScheme: { scheme: "Basic" } },
        },
        securityRequirements: [{ schemes: { Bearer: {} } }, { schemes: { Basic: {} } }],
      },
    ],
    ["null, which asks for nothing", { authentication: null }, {}],
  ])("is read from %s", (_, members, expected) => {
    const { securitySchemes, securityRequirements } = read(members);
    expect({ securitySchemes, securityRequirements }).toEqual(expected);
  });

  it("is written as the schemes of the reader's version", () => {
    const card = read({ protocolVersion: "0.3.0", ...http });
    expect(codecs["0.3"].encodeAgentCard(card)).toMatchObject(http);
    expect(codecs["0.3"].encodeAgentCard(card)).not.toHaveProperty("authentication");
    expect(codecs["1.0"].encodeAgentCard(card)).toMatchObject({
      securitySchemes: { b: { httpAuthSecurityScheme: { scheme: "bearer" } } },
      securityRequirements: [{ schemes: { b: {} } }],
    });
    expect(codecs["0.1"].encodeAgentCard(card)).toMatchObject({
      authentication: { schemes: ["Bearer"] },
    });
  });
});

describe("C27 address in a card", () => {
  const rpc = { url, protocolBinding: "JSONRPC" };

  it.each<[string, JsonObject, AgentCard["supportedInterfaces"]]>([
    [
      "supportedInterfaces",
      { supportedInterfaces: [{ ...rpc, protocolVersion: "1.0" }] },
      [{ ...rpc, protocolVersion: "1.0" }],
    ],
    [
      "interfaces, in place of supportedInterfaces",
      { interfaces: [{ ...rpc, protocolVersion: "1.0" }] },
      [{ ...rpc, protocolVersion: "1.0" }],
    ],
    ["url", {}, [{ ...rpc, protocolVersion: "0.2" }]],
    [
      "url, with endpoints beside it",
      { endpoints: { base: "https://b.example", messageSend: "/send" } },
      [{ ...rpc, protocolVersion: "0.2" }],
    ],
    [
      "interfaces, in place of additionalInterfaces",
      {
        protocolVersion: "0.3.0",
        interfaces: [{ url: "https://a.example/rest", transport: "HTTP+JSON" }],
      },
      [
        { ...rpc, protocolVersion: "0.3" },
        { url: "https://a.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
      ],
    ],
    [
      "url and additionalInterfaces, each address once",
      {
        protocolVersion: "0.3.0",
        preferredTransport: "JSONRPC",
        additionalInterfaces: [
          { url, transport: "JSONRPC" },
          { url, transport: "HTTP+JSON" },
        ],
      },
      [
        { ...rpc, protocolVersion: "0.3" },
        { url, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
      ],
    ],
  ])("is read from %s", (_, members, expected) => {
    const { supportedInterfaces } = read(members);
    expect(supportedInterfaces).toEqual(expected);
  });

  it("is written for each version as far as that version can use it", () => {
    const card: AgentCard = {
      ...read({}),
      supportedInterfaces: [
        { ...rpc, protocolVersion: "1.0" },
        { url: "https://a.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
      ],
    };
    expect(codecs["1.0"].encodeAgentCard(card)).toMatchObject({
      supportedInterfaces: card.supportedInterfaces,
    });
    expect(codecs["0.3"].encodeAgentCard(card)).toMatchObject({
      url: "https://a.example/rest",
      preferredTransport: "HTTP+JSON",
    });
  });
});

describe("C28 skill", () => {
  it.each<[string, JsonObject, object]>([
    [
      "id and tags",
      { id: "tr", name: "Translate", description: "d", tags: ["t"] },
      { id: "tr", name: "Translate", description: "d", tags: ["t"] },
    ],
    [
      "a name and parameters",
      { name: "Translate Texts", description: "d", parameters: { to: "en" } },
      { id: "translate-texts", name: "Translate Texts", description: "d", tags: [] },
    ],
  ])("with %s is read", (_, skill, expected) => {
    expect(read({ skills: [skill] }).skills).toEqual([expected]);
  });

  it("has an id of its own even when its name is not", () => {
    const skills = [{ name: "Draw" }, { name: "Draw" }].map((one) => ({ ...one, description: "" }));
    const ids = read({ skills }).skills.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });

  it("is written with all that a skill must have", () => {
    const skills = [{ name: "Draw", description: "d" }];
    const card = read({ protocolVersion: "0.3.0", skills });
    const expected = [{ id: "draw", name: "Draw", description: "d", tags: [] }];
    expect(codecs["0.3"].encodeAgentCard(card)["skills"]).toEqual(expected);
    expect(codecs["1.0"].encodeAgentCard(card)["skills"]).toEqual(expected);
  });
});

describe("C29 capabilities", () => {
  const extensions = [{ uri: "https://ext.example/v1", required: true }];

  it("are read without those that only one document has", () => {
    const capabilities = {
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: true,
      contextPreservation: true,
      extensions,
    };
    expect(read({ capabilities }).capabilities).toEqual({
      streaming: true,
      pushNotifications: false,
      stateTransitionHistory: true,
      extensions,
    });
  });

  it.each([true, false])("tell readers before 1.0 of a history of states: %s", (declared) => {
    const given = { streaming: true, stateTransitionHistory: declared };
    const card = read({ protocolVersion: "0.3.0", capabilities: given });
    for (const dialect of ["0.1", "0.3", "0.3+type", "0.3-schema", "0.1+0.3"] as const) {
      expect(codecs[dialect].encodeAgentCard(card)["capabilities"]).toEqual(given);
    }
    for (const dialect of ["0.3-proto", "1.0"] as const) {
      expect(codecs[dialect].encodeAgentCard(card)["capabilities"]).toEqual({ streaming: true });
    }
  });
});
