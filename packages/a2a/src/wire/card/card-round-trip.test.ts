import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentCards } from "../../../test/support/arbitraries/agent-cards.js";
import type { AgentCard, SecurityRequirement, SecurityScheme } from "../../protocol/internal.js";
import { Cursor, parseAgentCard } from "../../protocol/parse/internal.js";
import { encodeCardForm } from "../card-forms.js";
import { decodeAgentCard } from "../decode-agent-card.js";
import { encodeAgentCard as encodeProto } from "../v0.3-proto/agent-card.js";
import { decodeAgentCard as decodeEarlier } from "../v0.3/agent-card.js";
import { encodeAgentCard as encodeCurrent } from "../v1.0/agent-card.js";

/** Through text, as a peer gets it. */
function overTheWire(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json));
}

function readEarlier(json: unknown): AgentCard {
  return decodeEarlier(overTheWire(json), new Cursor());
}

/** L5 and the form itself: no tenants, one version for all interfaces, each address once. */
function forgetInterfaces(card: AgentCard): AgentCard {
  const kept = card.supportedInterfaces
    .filter(({ protocolVersion }) => ["0.2", "0.3"].includes(protocolVersion))
    .map(({ url, protocolBinding }) => ({ url, protocolBinding, protocolVersion: "0.3" }));
  const addresses = kept.map(({ url, protocolBinding }) => `${protocolBinding} ${url}`);
  return {
    ...card,
    supportedInterfaces: kept.filter(
      (_, index) => addresses.indexOf(addresses[index] ?? "") === index,
    ),
  };
}

/** L5: the device code flow, and with it what offers or needs nothing else. */
function forgetDeviceCode(card: AgentCard): AgentCard {
  const lost = new Set<string>();
  const schemes = Object.entries(card.securitySchemes ?? {}).flatMap(
    ([name, scheme]): [string, SecurityScheme][] => {
      const oauth2 = scheme.oauth2SecurityScheme;
      if (oauth2?.flows.deviceCode === undefined) return [[name, scheme]];
      if (oauth2.oauth2MetadataUrl === undefined) {
        lost.add(name);
        return [];
      }
      return [[name, { oauth2SecurityScheme: { ...oauth2, flows: {} } }]];
    },
  );
  const keep = (
    requirements: readonly SecurityRequirement[] = [],
  ): Pick<AgentCard, "securityRequirements"> => {
    const kept = requirements.filter((one) =>
      Object.keys(one.schemes).every((name) => !lost.has(name)),
    );
    return kept.length > 0 ? { securityRequirements: kept } : {};
  };
  const { securitySchemes: _, securityRequirements, ...rest } = card;
  return {
    ...rest,
    ...(schemes.length > 0 && { securitySchemes: Object.fromEntries(schemes) }),
    ...keep(securityRequirements),
    skills: card.skills.map(({ securityRequirements: own, ...skill }) => ({
      ...skill,
      ...keep(own),
    })),
  };
}

/** L5: whether PKCE is required. */
function forgetPkce(card: AgentCard): AgentCard {
  return JSON.parse(
    JSON.stringify(card, (name, value: unknown) => (name === "pkceRequired" ? undefined : value)),
  ) as AgentCard;
}

/** L13: signatures. L4 concerns what the model has no place for, so nothing is lost of it. */
function forgetSignatures(card: AgentCard): AgentCard {
  const { signatures: _, ...rest } = card;
  return rest;
}

/** L7: 1.0 and the proto of 0.3 do not have the capability. */
function forgetStateHistory(card: AgentCard): AgentCard {
  const { stateTransitionHistory: _, ...capabilities } = card.capabilities;
  return { ...card, capabilities };
}

function forget(card: AgentCard): AgentCard {
  return [forgetInterfaces, forgetDeviceCode, forgetPkce, forgetSignatures].reduce(
    (rest, forgetOne) => forgetOne(rest),
    card,
  );
}

/** ProtoJSON does not tell a flag that is false from one that is not set. */
function forgetFalse(card: AgentCard): AgentCard {
  return {
    ...card,
    capabilities: Object.fromEntries(
      Object.entries(card.capabilities).filter(([, value]) => value !== false),
    ),
  };
}

/** What `agent.json` says of an agent that leaves it out. */
function withRequired(card: AgentCard, json: unknown): AgentCard {
  const { url } = json as { readonly url: string };
  return {
    provider: { organization: card.name, url },
    ...card,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      stateTransitionHistory: false,
      ...card.capabilities,
    },
  };
}

describe("a card", () => {
  it("loses in 1.0 that tasks tell their states, and nothing else", () => {
    fc.assert(
      fc.property(agentCards, (card) => {
        const json = overTheWire(encodeCurrent(card));
        expect(decodeAgentCard(json)).toStrictEqual(forgetStateHistory(card));
      }),
    );
  });

  it("is in the model's own form in 1.0, but for requirements that name no scheme", () => {
    fc.assert(
      fc.property(agentCards, (card) => {
        fc.pre(!JSON.stringify(card).includes('"schemes":{}'));
        const parsed = parseAgentCard(encodeCurrent(card), new Cursor());
        expect(parsed).toStrictEqual(forgetStateHistory(card));
      }),
    );
  });

  it("loses in 0.3 what 0.3 has no place for, and nothing else", () => {
    fc.assert(
      fc.property(agentCards, (card) => {
        expect(readEarlier(encodeCardForm(card, "0.3"))).toStrictEqual(forget(card));
      }),
    );
  });

  it("loses the same in the ProtoJSON of 0.3, and flags that are false", () => {
    fc.assert(
      fc.property(agentCards, (card) => {
        const expected = forgetStateHistory(forgetFalse(forget(card)));
        expect(readEarlier(encodeProto(card))).toStrictEqual(expected);
      }),
    );
  });

  it("is found complete by both readers of a blended card", () => {
    fc.assert(
      fc.property(agentCards, fc.constantFrom("blended", "blended-0.1"), (given, form) => {
        const json = overTheWire(encodeCardForm(given, form as "blended"));
        const card = form === "blended" ? given : withRequired(given, json);
        expect(decodeAgentCard(json)).toStrictEqual(forgetSignatures(card));
        const { securitySchemes = {}, skills, supportedInterfaces, ...rest } = readEarlier(json);
        const expected = forget(card);
        for (const [name, scheme] of Object.entries(expected.securitySchemes ?? {})) {
          expect(securitySchemes[name]).toStrictEqual(scheme);
        }
        expect(supportedInterfaces).toHaveLength(expected.supportedInterfaces.length);
        expect(supportedInterfaces).toEqual(
          expect.arrayContaining([...expected.supportedInterfaces]),
        );
        expect(skills.map(({ id }) => id)).toEqual(card.skills.map(({ id }) => id));
        expect(rest).toMatchObject({ name: card.name, capabilities: card.capabilities });
      }),
    );
  });
});
