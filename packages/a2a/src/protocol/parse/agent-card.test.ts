import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { violation } from "../../../test/support/violation.js";
import { agentCards } from "../../../test/support/arbitraries/agent-cards.js";
import { parseAgentCard } from "./agent-card.js";
import { Cursor } from "./cursor.js";

const valid = {
  name: "A",
  description: "d",
  version: "1",
  supportedInterfaces: [
    { url: "https://a.example", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "s", name: "S", description: "d", tags: ["t"] }],
};
const read = (members: object): unknown => parseAgentCard({ ...valid, ...members }, new Cursor());

describe("an agent card", () => {
  it("that is as the model has it is returned itself", () => {
    fc.assert(
      fc.property(agentCards, (card) => {
        expect(parseAgentCard(card, new Cursor()) === card).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("is read under snake_case names, without nulls, defaults and what no one knows", () => {
    const { supportedInterfaces, skills, ...rest } = valid;
    const given = {
      ...rest,
      supported_interfaces: [{ ...supportedInterfaces[0], tenant: "" }],
      capabilities: { streaming: false, push_notifications: true, extensions: [], x: 1 },
      skills: [{ ...skills[0], examples: [], inputModes: null }],
      provider: null,
      documentation_url: "",
      securityRequirements: [],
      signatures: [],
      url: "https://old.example",
    };
    expect(parseAgentCard(given, new Cursor())).toStrictEqual({
      ...valid,
      capabilities: { streaming: false, pushNotifications: true },
      documentationUrl: "",
    });
  });

  it.each(Object.keys(valid))("has its %s", (field) => {
    expect(violation(() => read({ [field]: undefined }))).toMatchObject({
      field,
      description: "this member is required",
    });
  });

  it.each([
    { supportedInterfaces: [] },
    { skills: [] },
    { defaultInputModes: [], defaultOutputModes: [] },
    { name: "", description: "", version: "" },
  ])("may be poor: %j", (members) => {
    expect(read(members)).toStrictEqual({ ...valid, ...members });
  });

  it.each<[object, string]>([
    [{ supportedInterfaces: [{}] }, "supportedInterfaces[0].url"],
    [
      { supportedInterfaces: [{ url: "x", protocolBinding: "JSONRPC", protocolVersion: "" }] },
      "supportedInterfaces[0].protocolVersion",
    ],
    [{ skills: [{ name: "S", description: "d", tags: [] }] }, "skills[0].id"],
    [{ skills: [{ id: "s", name: "S", description: "d" }] }, "skills[0].tags"],
    [{ provider: { organization: "O" } }, "provider.url"],
    [{ capabilities: { streaming: "yes" } }, "capabilities.streaming"],
    [{ capabilities: { extensions: [{}] } }, "capabilities.extensions[0].uri"],
    [{ securitySchemes: { a: {} } }, "securitySchemes.a"],
    [{ securitySchemes: [] }, "securitySchemes"],
    [{ signatures: [{ protected: "x" }] }, "signatures[0].signature"],
    [{ defaultInputModes: [1] }, "defaultInputModes[0]"],
    [{ iconUrl: 1 }, "iconUrl"],
  ])("is refused at the member that is wrong: %j", (members, field) => {
    expect(violation(() => read(members))).toMatchObject({ code: "INVALID_PARAMS", field });
  });
});
