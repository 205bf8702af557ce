import { describe, expect, it } from "vitest";
import { currentCard, earlierCard } from "../../test/fixtures/agent-cards.js";
import { verifies } from "../../test/spec/verifies.js";
import type { AgentCard, AgentInterface } from "../protocol/internal.js";
import { encodeAgentCard as encodeOldest } from "./v0.1/agent-card.js";
import { encodeAgentCard as encodeProto } from "./v0.3-proto/agent-card.js";
import { cardFormFor, encodeCardForm } from "./card-forms.js";
import { decodeAgentCard } from "./decode-agent-card.js";

const rpc = "https://a.example/rpc";
const rest = "https://a.example/rest";

function at(url: string, protocolBinding: string, protocolVersion: string): AgentInterface {
  return { url, protocolBinding, protocolVersion };
}

const card: AgentCard = {
  ...currentCard,
  supportedInterfaces: [
    at(rpc, "JSONRPC", "1.0"),
    at(rpc, "JSONRPC", "0.3"),
    at(rest, "HTTP+JSON", "0.3"),
  ],
};
const currentOnly: AgentCard = { ...card, supportedInterfaces: [at(rpc, "JSONRPC", "1.0")] };
const signed: AgentCard = { ...card, signatures: [{ protected: "p", signature: "s" }] };

const earlierForm = {
  ...earlierCard,
  additionalInterfaces: [{ url: rpc, transport: "JSONRPC" }, ...earlierCard.additionalInterfaces],
};

describe("which form is served", () => {
  it.each([
    ["agent-card.json", "1.0", "1.0"],
    ["agent-card.json", "0.3", "0.3"],
    ["agent-card.json", "0.2", "0.3"],
    ["agent-card.json", "0.1", "0.3"],
    ["agent-card.json", undefined, "blended"],
    ["agent-card.json", "1.0.1", "1.0"],
    ["agent-card.json", "1.1", "1.0"],
    ["agent-card.json", "99.0", "1.0"],
    ["agent-card.json", "0.5", "0.3"],
    ["agent-card.json", "garbage", "blended"],
    ["agent.json", undefined, "blended-0.1"],
    ["agent.json", "0.3", "blended-0.1"],
    ["agent.json", "1.0", "blended-0.1"],
  ] as const)("at %s for version %s is %s", (path, version, form) => {
    expect(cardFormFor({ path, version })).toBe(form);
  });
});

describe("the 1.0 form", () => {
  it("is the card itself", () => {
    verifies("card:extended-capability");
    expect(encodeCardForm(signed, "1.0")).toEqual(signed);
  });

  it("keeps required members that are empty and drops others that are", () => {
    const empty: AgentCard = {
      name: "",
      description: "",
      version: "",
      supportedInterfaces: [{ ...at(rpc, "JSONRPC", "1.0"), tenant: "" }],
      capabilities: { streaming: false, extensions: [] },
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: "s", name: "", description: "", tags: [], examples: [] }],
      provider: { organization: "", url: "" },
      documentationUrl: "",
      securitySchemes: {},
      securityRequirements: [],
      signatures: [],
    };
    verifies(
      "card:required-fields",
      "card:interface-fields",
      "card:skill-fields",
      "card:provider-fields",
    );
    expect(encodeCardForm(empty, "1.0")).toEqual({
      name: "",
      description: "",
      version: "",
      supportedInterfaces: [at(rpc, "JSONRPC", "1.0")],
      capabilities: { streaming: false },
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [{ id: "s", name: "", description: "", tags: [] }],
      provider: { organization: "", url: "" },
      documentationUrl: "",
    });
  });
});

describe("the 0.3 form", () => {
  it("has one main interface, repeated among the additional ones, and no signatures", () => {
    expect(encodeCardForm(signed, "0.3")).toEqual(earlierForm);
  });

  it("is refused to an agent without an interface for it", () => {
    expect(() => encodeCardForm(currentOnly, "0.3")).toThrow(
      '"A" has no interface for version 0.3; it offers JSONRPC 1.0',
    );
  });

  it("in ProtoJSON wraps schemes and leaves out false", () => {
    const capabilities = { streaming: false, pushNotifications: true, extendedAgentCard: false };
    const { supportsAuthenticatedExtendedCard: _, ...members } = earlierForm;
    expect(encodeProto({ ...card, capabilities })).toEqual({
      ...members,
      capabilities: { pushNotifications: true },
      securitySchemes: { b: { httpAuthSecurityScheme: { scheme: "bearer" } } },
      security: [{ schemes: { b: {} } }],
    });
  });
});

describe("the 0.1 card", () => {
  const { supportsAuthenticatedExtendedCard: _, ...described } = earlierCard;

  it("has one url and a list of schemes", () => {
    expect(encodeOldest(card)).toEqual({
      name: "A",
      description: "d",
      url: rpc,
      version: "1",
      capabilities: { streaming: true },
      authentication: { schemes: ["Bearer"] },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: described.skills,
    });
  });

  it.each([
    [[at(rest, "HTTP+JSON", "0.3"), at(rpc, "JSONRPC", "0.2")], rpc],
    [
      [at(rpc, "JSONRPC", "0.3"), at("https://a.example/old", "JSONRPC", "0.1")],
      "https://a.example/old",
    ],
  ])("points to the interface that 0.1 can use", (supportedInterfaces, url) => {
    expect(encodeOldest({ ...card, supportedInterfaces })["url"]).toBe(url);
  });

  it("is refused to an agent without JSON-RPC of an earlier version", () => {
    const supportedInterfaces = [at(rest, "HTTP+JSON", "0.3"), at(rpc, "JSONRPC", "1.0")];
    expect(() => encodeOldest({ ...card, supportedInterfaces })).toThrow(
      "it offers HTTP+JSON 0.3, JSONRPC 1.0",
    );
  });
});

describe("a blended card", () => {
  const blended = {
    ...earlierForm,
    ...card,
    securitySchemes: {
      b: { type: "http", scheme: "bearer", httpAuthSecurityScheme: { scheme: "bearer" } },
    },
  };

  it("has the members of 1.0 and of 0.3, and one entry that both read for each scheme", () => {
    expect(encodeCardForm(signed, "blended")).toEqual(blended);
  });

  it("has the authentication of 0.1 as well where readers of 0.1 look, and all that they may require", () => {
    expect(encodeCardForm(card, "blended-0.1")).toEqual({
      ...blended,
      capabilities: {
        ...card.capabilities,
        pushNotifications: false,
        stateTransitionHistory: false,
      },
      provider: { organization: "A", url: rpc },
      authentication: { schemes: ["Bearer"] },
    });
  });

  it("says null where readers of 0.1 look for an authentication that the agent does not ask for", () => {
    const { securitySchemes: _, securityRequirements: __, ...open } = card;
    expect(encodeCardForm(open, "blended-0.1")).toMatchObject({ authentication: null });
    expect(encodeCardForm(open, "blended")).not.toHaveProperty("authentication");
  });

  it("keeps what the author says of provider and capabilities", () => {
    const provider = { organization: "O", url: "https://o.example" };
    const capabilities = { streaming: false, stateTransitionHistory: true };
    const json = encodeCardForm({ ...card, provider, capabilities }, "blended-0.1");
    expect(json).toMatchObject({ provider, capabilities });
  });

  it("leads readers of 0.1 to JSON-RPC, whatever the agent prefers", () => {
    const supportedInterfaces = card.supportedInterfaces.toReversed();
    const json = encodeCardForm({ ...card, supportedInterfaces }, "blended-0.1");
    expect(json).toMatchObject({ url: rpc, preferredTransport: "JSONRPC", supportedInterfaces });
    expect(encodeCardForm({ ...card, supportedInterfaces }, "blended")).toMatchObject({
      url: rest,
      preferredTransport: "HTTP+JSON",
    });
  });

  it.each(["blended", "blended-0.1"] as const)(
    "in the form %s of an agent of 1.0 alone is its 1.0 card",
    (form) => {
      expect(encodeCardForm(currentOnly, form)).toEqual(currentOnly);
    },
  );

  it("of an agent of 0.1 and 1.0 has the members of those", () => {
    const supportedInterfaces = [at(rpc, "JSONRPC", "1.0"), at(rest, "JSONRPC", "0.1")];
    const json = encodeCardForm({ ...card, supportedInterfaces }, "blended-0.1");
    expect(json).toMatchObject({ url: rest, authentication: { schemes: ["Bearer"] } });
    expect(json).not.toHaveProperty("protocolVersion");
  });

  it("describes to readers of 0.3 even a scheme that they cannot use", () => {
    const device = {
      oauth2SecurityScheme: {
        flows: { deviceCode: { deviceAuthorizationUrl: rpc, tokenUrl: rpc, scopes: {} } },
      },
    };
    const securityRequirements = [{ schemes: { device: {} } }];
    const skills = card.skills.map((skill) => ({ ...skill, securityRequirements }));
    const securitySchemes = { device };
    const given = { ...card, securitySchemes, securityRequirements, skills };
    const json = encodeCardForm(given, "blended");
    expect(json).toMatchObject({
      securitySchemes: { device: { type: "oauth2", flows: {}, ...device } },
      securityRequirements,
      skills,
    });
    expect(json).not.toHaveProperty("security");
    expect(decodeAgentCard(json)).toEqual(given);
  });
});
