import type {
  AgentCard,
  AgentProvider,
  AgentSkill,
  SecurityRequirement,
} from "../../protocol/internal.js";
import {
  array,
  implicit,
  object,
  optional,
  parseAgentCapabilities,
  required,
  string,
} from "../../protocol/parse/internal.js";
import type { Cursor, Field, Parser } from "../../protocol/parse/internal.js";
import { reserveName } from "../members/reserve-name.js";

/** What a card says about the agent itself. It is the same in every version. */
type CardDescription = Omit<
  AgentCard,
  "supportedInterfaces" | "securitySchemes" | "securityRequirements" | "signatures"
>;

type PeerDescription = Partial<CardDescription> & Pick<CardDescription, "name">;

/**
 * Parses the description in a peer's card. Only the name is required; other missing members get a
 * default. `requirements` parses the security of a skill, the one member that differs between versions.
 */
export function cardDescription(
  requirements: Field<readonly SecurityRequirement[]>,
): Parser<CardDescription> {
  const description = object<PeerDescription>({
    name: required(string),
    description: implicit(string),
    version: implicit(string),
    provider: optional(decodeProvider),
    documentationUrl: optional(string),
    iconUrl: optional(string),
    capabilities: optional(parseAgentCapabilities),
    defaultInputModes: optional(array(decodeMode)),
    defaultOutputModes: optional(array(decodeMode)),
    skills: optional(skillsWith(requirements)),
  });
  return (value, cursor) => ({ ...defaults, ...description(value, cursor) });
}

const defaults = {
  description: "",
  version: "",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
} as const;

const providerMembers = object<Partial<AgentProvider>>({
  organization: optional(string),
  url: optional(string),
});

function decodeProvider(value: unknown, cursor: Cursor): AgentProvider {
  return { organization: "", url: "", ...providerMembers(value, cursor) };
}

const modes: ReadonlyMap<string, string> = new Map([
  ["text", "text/plain"],
  ["data", "application/json"],
  ["json", "application/json"],
]);

/** A media type. Early cards name a kind of part instead. */
function decodeMode(value: unknown, cursor: Cursor): string {
  const mode = string(value, cursor);
  return modes.get(mode) ?? mode;
}

type PeerSkill = Partial<AgentSkill>;

function skillsWith(
  requirements: Field<readonly SecurityRequirement[]>,
): Parser<readonly AgentSkill[]> {
  const skill = object<PeerSkill>({
    id: implicit(string),
    name: optional(string),
    description: implicit(string),
    tags: optional(array(string)),
    examples: implicit(array(string)),
    inputModes: implicit(array(decodeMode)),
    outputModes: implicit(array(decodeMode)),
    securityRequirements: requirements,
  });
  const skills = array((value, cursor) => {
    const parsed = skill(value, cursor);
    if (parsed.id === undefined && (parsed.name ?? "") === "") {
      cursor.fail("expected a name or an id of the skill, got neither", "name");
    }
    return parsed;
  });
  return (value, cursor) => nameSkills(skills(value, cursor));
}

/** Gives each skill without an id one made of its name, different from all other ids of the card. */
function nameSkills(skills: readonly PeerSkill[]): readonly AgentSkill[] {
  const taken = new Set(skills.map(({ id }) => id));
  return skills.map((skill) => {
    const { name = skill.id ?? "" } = skill;
    const id = skill.id ?? reserveName(slug(name), taken);
    return { description: "", tags: [], ...skill, id, name };
  });
}

function slug(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu);
  return words?.join("-") ?? "skill";
}
