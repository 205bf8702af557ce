import { describe, expect, it } from "vitest";
import {
  currentCard,
  draftCard,
  earlierCard,
  looseCard,
  oldestCard,
  translatorCard,
} from "../../test/fixtures/agent-cards.js";
import { A2AError } from "../protocol/internal.js";
import { decodeAgentCard } from "./decode-agent-card.js";

function refusal(json: unknown): string {
  try {
    decodeAgentCard(json);
  } catch (error) {
    if (A2AError.is(error)) return `${error.code} ${error.message}`;
  }
  return "none";
}

describe("reading a card", () => {
  it("takes a 1.0 card as it is", () => {
    expect(decodeAgentCard(currentCard)).toEqual(currentCard);
  });

  it("turns a 0.3 card into the model", () => {
    expect(decodeAgentCard(earlierCard)).toEqual({
      ...currentCard,
      supportedInterfaces: [
        { url: "https://a.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
        { url: "https://a.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
      ],
    });
  });

  it("reads modes and an absence of authentication that are written in their own way", () => {
    const card = decodeAgentCard(translatorCard);
    expect(card).toMatchObject({
      supportedInterfaces: [
        { url: "http://localhost:1201", protocolBinding: "JSONRPC", protocolVersion: "0.2" },
      ],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      provider: translatorCard.provider,
      skills: translatorCard.skills,
    });
    expect(card.capabilities).toEqual({
      streaming: false,
      pushNotifications: false,
      stateTransitionHistory: true,
    });
    expect(card).not.toHaveProperty("securitySchemes");
    expect(card).not.toHaveProperty("authentication");
  });

  it("reads a single authentication scheme", () => {
    const authentication = { type: "http", scheme: "bearer", description: "A token" };
    expect(decodeAgentCard({ ...translatorCard, authentication })).toMatchObject({
      securitySchemes: {
        bearer: { httpAuthSecurityScheme: { scheme: "bearer", description: "A token" } },
      },
      securityRequirements: [{ schemes: { bearer: {} } }],
      supportedInterfaces: [{ protocolVersion: "0.2" }],
    });
  });

  it("reads the base of the endpoints for a url", () => {
    const { url, ...card } = translatorCard;
    const decoded = decodeAgentCard({ ...card, endpoints: { base: url, messageSend: "/send" } });
    expect(decoded.supportedInterfaces[0]?.url).toBe(url);
  });

  it("gives skills the ids and tags they lack, and ignores what no version knows", () => {
    const card = decodeAgentCard(looseCard);
    expect(card.skills).toEqual([
      { id: "plan-a-trip", name: "Plan a Trip", description: "Plans", tags: [] },
      { id: "plan-a-trip-2", name: "plan a trip!", description: "Plans again", tags: [] },
    ]);
    expect(card.capabilities).toEqual({
      streaming: true,
      extensions: looseCard.capabilities.extensions,
    });
    expect(card.defaultInputModes).toEqual(["text/plain"]);
  });

  it.each([
    [{ name: "翻译 文本" }, "翻译-文本"],
    [{ name: "¡!" }, "skill"],
    [{ id: "given", name: "N" }, "given"],
    [{ id: "only" }, "only"],
  ])("reads the skill %j under the id %j", (skill, id) => {
    expect(decodeAgentCard({ ...looseCard, skills: [skill] }).skills[0]?.id).toBe(id);
  });

  it("splits OAuth flows into schemes and repeats the requirements for them", () => {
    const { securitySchemes, securityRequirements } = decodeAgentCard(looseCard);
    expect(Object.keys(securitySchemes ?? {})).toEqual(["key", "oauth", "oauth-clientCredentials"]);
    expect(securityRequirements).toEqual([
      { schemes: { oauth: { list: ["read"] } } },
      { schemes: { "oauth-clientCredentials": { list: ["read"] } } },
      { schemes: { key: {} } },
    ]);
  });

  it("reads interfaces and the extended card under the names of the drafts of 1.0", () => {
    expect(decodeAgentCard(draftCard)).toMatchObject({
      supportedInterfaces: [
        { url: "https://d.example/a2a/v1", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      ],
      capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    });
  });

  it("reads a card of 0.1", () => {
    expect(decodeAgentCard(oldestCard, { servedAt: "agent.json" })).toEqual({
      name: "Oldest",
      description: "",
      version: "0.1.2",
      supportedInterfaces: [
        { url: "https://o.example/", protocolBinding: "JSONRPC", protocolVersion: "0.1" },
      ],
      capabilities: { streaming: true, stateTransitionHistory: true },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      provider: { organization: "O", url: "" },
      skills: [{ id: "s", name: "S", description: "", tags: [] }],
      securitySchemes: {
        Bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
        ApiKey: { apiKeySecurityScheme: { location: "query", name: "key" } },
      },
      securityRequirements: [{ schemes: { Bearer: {} } }, { schemes: { ApiKey: {} } }],
    });
  });

  it("keeps the version that a card with a url claims", () => {
    const { supportedInterfaces } = decodeAgentCard({ ...earlierCard, protocolVersion: "0.4.1" });
    expect(supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual([
      "0.4",
      "0.4",
    ]);
  });

  it("reads the requirements that the sample card of 1.0 calls security", () => {
    const { securityRequirements, ...rest } = currentCard;
    const expected = [{ schemes: { b: { list: ["s"] } } }];
    expect(securityRequirements).toBeDefined();
    for (const security of [[{ b: ["s"] }], expected]) {
      expect(decodeAgentCard({ ...rest, security }).securityRequirements).toEqual(expected);
    }
    expect(
      decodeAgentCard({ ...rest, securityRequirements: [], security: [{ b: ["s"] }] })
        .securityRequirements,
    ).toEqual(expected);
  });

  it("reads members in snake_case, patch versions and bindings in lower case", () => {
    const { supportedInterfaces, defaultInputModes, securityRequirements, ...rest } = currentCard;
    expect(
      decodeAgentCard({
        ...rest,
        security_requirements: securityRequirements,
        default_input_modes: defaultInputModes,
        supported_interfaces: supportedInterfaces.map((one) => ({
          url: one.url,
          protocol_binding: "jsonrpc",
          protocol_version: `${one.protocolVersion}.1`,
        })),
      }),
    ).toEqual(currentCard);
  });

  it.each<[string, unknown, string]>([
    ["no object", "card", "expected an object, got a string"],
    ["no name", { ...earlierCard, name: null }, "name: this member is required"],
    ["no url at all", { name: "A" }, "url: this member is required"],
    [
      "no interface",
      { ...currentCard, supportedInterfaces: [] },
      "supportedInterfaces: expected at least one interface, got none",
    ],
    [
      "an interface without a binding",
      { ...currentCard, supportedInterfaces: [{ url: "https://a.example/" }] },
      "supportedInterfaces[0].protocolBinding: this member is required",
    ],
    [
      "an interface without a transport",
      { ...earlierCard, additionalInterfaces: [{ url: "https://a.example/" }] },
      "additionalInterfaces[0].transport: this member is required",
    ],
    [
      "a nameless skill",
      { ...earlierCard, skills: [{ description: "d" }] },
      "skills[0].name: expected a name or an id of the skill, got neither",
    ],
    [
      "an unknown kind of scheme",
      { ...earlierCard, securitySchemes: { b: { type: "magic" } } },
      'securitySchemes.b.type: expected "apiKey" or "http" or "oauth2" or "openIdConnect" or "mutualTLS", got a string',
    ],
    [
      "an API key without a place",
      { ...earlierCard, securitySchemes: { b: { type: "apiKey", name: "k" } } },
      "securitySchemes.b.in: this member is required",
    ],
    [
      "an extension without a uri",
      { ...earlierCard, capabilities: { extensions: [{}] } },
      "capabilities.extensions[0].uri: this member is required",
    ],
    [
      "a lone surrogate",
      { ...earlierCard, description: "\ud800" },
      "description: expected well-formed Unicode, got a lone surrogate",
    ],
  ])("refuses %s by the name of the member", (_, json, message) => {
    expect(refusal(json)).toBe(`INVALID_AGENT_RESPONSE ${message}`);
  });

  it("does not follow requirements that multiply beyond any use", () => {
    const names = ["a", "b", "c", "d"];
    const flow = { tokenUrl: "https://t.example/", scopes: {} };
    const flows = {
      authorizationCode: { authorizationUrl: "https://t.example/", ...flow },
      clientCredentials: flow,
      implicit: {},
      password: {},
    };
    const securitySchemes = Object.fromEntries(
      names.map((name) => [name, { type: "oauth2", flows }]),
    );
    const security = [Object.fromEntries(names.map((name) => [name, []]))];
    expect(refusal({ ...earlierCard, securitySchemes, security })).toBe(
      "INVALID_AGENT_RESPONSE expected at most 64 ways to satisfy a security requirement",
    );
  });
});
