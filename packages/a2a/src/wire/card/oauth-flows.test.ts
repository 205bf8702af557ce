import { describe, expect, it } from "vitest";
import { earlierCard } from "../../../test/fixtures/agent-cards.js";
import type { SecurityScheme } from "../../protocol/internal.js";
import { decodeAgentCard } from "../decode-agent-card.js";
import { splitOAuthFlows } from "./oauth-flows.js";
import { verifies } from "../../../test/spec/verifies.js";

const flow = { tokenUrl: "https://t.example/token", scopes: {} };
const authorizationCode = { authorizationUrl: "https://t.example/authorize", ...flow };

function oauth2(flows: object): SecurityScheme {
  return { oauth2SecurityScheme: { flows, description: "d" } };
}

describe("a scheme with several OAuth flows", () => {
  it("becomes one scheme per flow, the first under its own name", () => {
    verifies("card:oauth2-flow");
    const http: SecurityScheme = { httpAuthSecurityScheme: { scheme: "bearer" } };
    const several = oauth2({ password: flow, clientCredentials: flow, authorizationCode });
    expect(splitOAuthFlows({ several, http })).toEqual({
      schemes: {
        several: oauth2({ authorizationCode }),
        "several-clientCredentials": oauth2({ clientCredentials: flow }),
        "several-password": oauth2({ password: flow }),
        http,
      },
      alternatives: new Map([
        ["several", ["several", "several-clientCredentials", "several-password"]],
      ]),
    });
  });

  it("takes no name that another scheme has", () => {
    const { schemes } = splitOAuthFlows({
      a: oauth2({ authorizationCode, password: flow }),
      "a-password": oauth2({ password: flow }),
    });
    expect(Object.keys(schemes)).toEqual(["a", "a-password-2", "a-password"]);
  });

  it("multiplies what the card and its skills require", () => {
    const several = { type: "oauth2", flows: { authorizationCode, clientCredentials: flow } };
    const { b } = earlierCard.securitySchemes;
    const [skill] = earlierCard.skills;
    const card = decodeAgentCard({
      ...earlierCard,
      securitySchemes: { a: several, b, c: several },
      security: [{ a: ["s"], b: [], c: [] }],
      skills: [skill, { ...skill, id: "t", security: [{ a: [] }, { b: [] }] }],
    });
    const list = ["s"];
    expect(card.securityRequirements).toEqual([
      { schemes: { a: { list }, b: {}, c: {} } },
      { schemes: { a: { list }, b: {}, "c-clientCredentials": {} } },
      { schemes: { "a-clientCredentials": { list }, b: {}, c: {} } },
      { schemes: { "a-clientCredentials": { list }, b: {}, "c-clientCredentials": {} } },
    ]);
    expect(card.skills.map(({ securityRequirements }) => securityRequirements)).toEqual([
      undefined,
      [{ schemes: { a: {} } }, { schemes: { "a-clientCredentials": {} } }, { schemes: { b: {} } }],
    ]);
  });

  it("may lack scopes", () => {
    const { scopes: _, ...bare } = authorizationCode;
    const securitySchemes = { b: { type: "oauth2", flows: { authorizationCode: bare } } };
    expect(decodeAgentCard({ ...earlierCard, securitySchemes }).securitySchemes).toEqual({
      b: { oauth2SecurityScheme: { flows: { authorizationCode } } },
    });
  });
});
