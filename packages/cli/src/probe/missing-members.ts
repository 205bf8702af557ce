import { inferCardVersion } from "@parley/a2a/wire";

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

/** The members that a card lacks and its version requires; those of skills by their place, such as `skills[0].tags`. */
export function missingMembers(document: unknown): readonly string[] {
  const card = membersOf(document);
  const version = inferCardVersion(card);
  // 0.1 requires fewer: no description, default modes that are text, skills without descriptions.
  const isFirst = version === "0.1";
  const required = isFirst ? ["name", "version", "capabilities", "skills"] : common;
  const address = version === "1.0" ? "supportedInterfaces" : "url";
  const skills = Array.isArray(card["skills"]) ? card["skills"].map(membersOf) : [];
  return [
    ...[...required, address].filter((name) => !isThere(card, name)),
    ...skills.flatMap((skill, index) =>
      (isFirst ? ["id", "name"] : ofSkills)
        .filter((name) => !isThere(skill, name))
        .map((name) => `skills[${index}].${name}`),
    ),
  ];
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

/** Whether a member is there, by its name or by its name in the protobuf definition. */
function isThere(members: Members, name: string): boolean {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return (members[name] ?? members[snake]) !== undefined;
}
