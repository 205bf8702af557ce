import type { AgentCard, Authenticator, Credentials, Principal } from "../../protocol/internal.js";
import { Checks } from "./checks.js";
import { Refusals } from "./refusals.js";
import { toSecurityRequirement } from "../requirement.js";
import type { Requirement } from "../requirement.js";
import type { Identity, Scheme } from "../scheme.js";

type RequirementOf<Name extends string> = Partial<Readonly<Record<Name, readonly string[]>>>;

/** The schemes that callers can authenticate with, and which of them are required. */
export interface AuthenticatorOptions<Name extends string = string> {
  /** The schemes by the names that they have in cards. */
  readonly schemes: Readonly<Record<Name, Scheme>>;
  /** Alternatives, one of which a caller has to meet; any single scheme when absent. */
  readonly requirements?: readonly RequirementOf<Name>[];
  /**
   * The requirements of skills by skill id. Published in the card. Messages do not name skills, so the agent's
   * operator has to enforce these with `requireSkills` or `meetsRequirements`.
   */
  readonly skills?: Readonly<Record<string, readonly RequirementOf<Name>[]>>;
  /** The name of what is protected, which browsers show when they ask for a password. */
  readonly realm?: string;
}

/**
 * Declares how callers authenticate. The declaration is enforced, published in cards, and sent as challenges to
 * callers that are refused.
 *
 * @example
 * const auth = createAuthenticator({
 *   schemes: { oidc: openIdConnect({ issuer: "https://id.example", audience: "travel" }) },
 * });
 * await serve(travel, { auth });
 */
export function createAuthenticator<Name extends string>(
  options: AuthenticatorOptions<Name>,
): Authenticator {
  const schemes = new Map<string, Scheme>(Object.entries(options.schemes));
  const { requirements, skills } = checked(options as AuthenticatorOptions, [...schemes.keys()]);
  const refusals = new Refusals(schemes, requirements, options.realm ?? "A2A");
  const admitsUnknown = requirements.some((one) => Object.keys(one).length === 0);
  const required = namesIn(requirements);
  const ofSkills = namesIn([...skills.values()].flat());

  async function authenticate(credentials: Credentials): Promise<Principal | undefined> {
    const checks = new Checks(schemes, credentials);
    const lacking: (readonly [string, readonly string[]])[] = [];
    for (const requirement of requirements) {
      const met = await checks.meet(requirement);
      if (met?.lacking.length === 0) {
        return principalOf(new Map([...met.identities, ...(await checks.identities(ofSkills))]));
      }
      lacking.push(...(met?.lacking ?? []));
    }
    if (lacking.length > 0) throw refusals.insufficient(lacking);
    // A scheme of a combination is not checked after another one has failed.
    const half = await checks.identities(required);
    const reasons = checks.reasons();
    if (reasons.size > 0) throw refusals.invalid(reasons);
    if (half.size > 0) throw refusals.incomplete([...half.keys()]);
    if (admitsUnknown) return undefined;
    throw refusals.unknown();
  }

  const described = [...schemes].map(([name, { description }]) => [name, description] as const);
  const securitySchemes = Object.fromEntries(described);
  const securityRequirements = requirements.map(toSecurityRequirement);

  function declareIn(card: AgentCard): AgentCard {
    const unknown = [...skills.keys()].find((id) => !card.skills.some((one) => one.id === id));
    if (unknown !== undefined) {
      throw new Error(`${card.name} has no skill ${unknown}, for which there are requirements`);
    }
    return {
      ...card,
      securitySchemes: { ...card.securitySchemes, ...securitySchemes },
      securityRequirements,
      skills: card.skills.map((skill) => {
        const required = skills.get(skill.id);
        if (required === undefined) return skill;
        return { ...skill, securityRequirements: required.map(toSecurityRequirement) };
      }),
    };
  }

  const asksForCertificate = described.some(([, one]) => one.mtlsSecurityScheme !== undefined);
  return {
    authenticate,
    challenges: refusals.challenges,
    challengesFor: (scopes) => refusals.challengesFor(scopes),
    declareIn,
    asksForCertificate,
  };
}

function namesIn(requirements: readonly Requirement[]): readonly string[] {
  return [...new Set(requirements.flatMap((one) => Object.keys(one)))];
}

interface CheckedOptions {
  readonly requirements: readonly Requirement[];
  readonly skills: ReadonlyMap<string, readonly Requirement[]>;
}

/** Checks the options, so that mistakes show when a server starts and not when a caller calls. */
function checked(options: AuthenticatorOptions, names: readonly string[]): CheckedOptions {
  // JavaScript moves numeric names to the front of an object, and the first scheme of a requirement has a
  // meaning.
  const misnamed = names.find((name) => !/^[A-Za-z][\w.-]*$/.test(name));
  if (misnamed !== undefined)
    throw new Error(
      `${JSON.stringify(misnamed)} cannot name a scheme: a name begins with a letter and has letters, digits, ".", "_" and "-"`,
    );
  const anyOf = names.map((name) => ({ [name]: [] }));
  const requirements = (options.requirements ?? anyOf) as readonly Requirement[];
  const skills = new Map(Object.entries(options.skills ?? {})) as CheckedOptions["skills"];
  if (requirements.length === 0)
    throw new Error("requirements must not be empty; the requirement {} admits every caller");
  for (const requirement of [requirements, ...skills.values()].flat()) {
    const unknown = Object.keys(requirement).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new Error(
        `a requirement names the scheme ${JSON.stringify(unknown)}, which is not declared`,
      );
  }
  return { requirements, skills };
}

/** The first scheme says who the caller is; all schemes say what it is granted. */
function principalOf(identities: ReadonlyMap<string, Identity>): Principal {
  const [first] = identities;
  if (first === undefined) throw new Error("a requirement without schemes has identified a caller");
  const [name, { issuer = name, subject, claims }] = first;
  const grants = [...identities].map(([one, { scopes }]) => [one, scopes] as const);
  return {
    subject: `${issuer}#${subject}`,
    scopes: [...new Set(grants.flatMap(([, scopes]) => scopes))],
    grants: Object.fromEntries(grants),
    ...(claims !== undefined && { claims }),
  };
}
