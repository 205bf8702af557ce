import { inferCardVersion } from "@parley/a2a/wire";
import type { CardCheck } from "../check.js";
import { broken, ok } from "../finding.js";

const common = [
  "name",
  "description",
  "version",
  "capabilities",
  "defaultInputModes",
  "defaultOutputModes",
  "skills",
];

const ofSkills = ["id", "name", "description", "tags"];

/** The card has every member that its version requires. Clients made from the schema refuse it otherwise. */
export const cardFields: CardCheck = {
  name: "card-fields",
  proves: "The card has every member that its version of the protocol requires.",
  run({ target }) {
    const card = membersOf(target.document);
    const version = inferCardVersion(card);
    // 0.1 requires fewer: no description, default modes that are text, skills without descriptions.
    const isFirst = version === "0.1";
    const required = isFirst ? ["name", "version", "capabilities", "skills"] : common;
    const missing = [...required, version === "1.0" ? "supportedInterfaces" : "url"].filter(
      (name) => !isThere(card, name),
    );
    const skills = Array.isArray(card["skills"]) ? card["skills"].map(membersOf) : [];
    for (const [index, skill] of skills.entries()) {
      for (const name of isFirst ? ["id", "name"] : ofSkills) {
        if (!isThere(skill, name)) missing.push(`skills[${index}].${name}`);
      }
    }
    if (missing.length === 0) return ok(`a card of ${version} with ${skills.length} skills`);
    return broken(
      `the card lacks ${missing.slice(0, 12).join(", ")}`,
      `add ${missing.length === 1 ? "it" : "them"}; ${version} requires ${missing.length === 1 ? "this member" : "these members"}, and clients made from its schema refuse the card`,
    );
  },
};

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

/** Whether a member is there, by its name or by its name in the protobuf definition. */
function isThere(members: Members, name: string): boolean {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return (members[name] ?? members[snake]) !== undefined;
}
