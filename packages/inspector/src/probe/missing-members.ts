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
const ofInterfaces = ["url", "protocolBinding", "protocolVersion"];

/**
 * The members that a card lacks and a version requires, its own when absent; those of skills and interfaces by their place, such as
 * `skills[0].tags`.
 */
export function missingMembers(
  document: unknown,
  version: string = inferCardVersion(membersOf(document)),
): readonly string[] {
  const card = membersOf(document);
  // 0.1 requires fewer: no description, default modes that are text, skills without descriptions.
  const isFirst = version === "0.1";
  const required = isFirst ? ["name", "version", "capabilities", "skills"] : common;
  const address = version === "1.0" ? "supportedInterfaces" : "url";
  return [
    ...[...required, address].filter((name) => !isThere(card, name)),
    ...missingInEach(card, "skills", isFirst ? ["id", "name"] : ofSkills),
    ...missingInEach(card, "supportedInterfaces", version === "1.0" ? ofInterfaces : []),
  ];
}

function missingInEach(card: Members, list: string, names: readonly string[]): readonly string[] {
  const found = Array.isArray(card[list]) ? card[list].map(membersOf) : [];
  return found.flatMap((one, index) =>
    names.filter((name) => !isThere(one, name)).map((name) => `${list}[${index}].${name}`),
  );
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
