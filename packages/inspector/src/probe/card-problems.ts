import { codecs, Cursor, decodeAgentCard } from "@parley/a2a/wire";
import { A2AError } from "@parley/a2a";
import type { ProtocolVersion } from "@parley/a2a";
import { missingMembers } from "./missing-members.js";

type Found = Readonly<Record<string, unknown>>;

/** What is wrong with the JSON of a card of a version, by the letter of the protocol; nothing for a good card. */
export function cardProblems(
  document: unknown,
  version: ProtocolVersion = "1.0",
): readonly string[] {
  if (!isObject(document)) return ["the card is not an object"];
  if (version !== "1.0") return earlierProblems(document, version);
  return [
    ...missingMembers(document, "1.0").map((path) => `${path} is missing`),
    ...["name", "description", "version"].flatMap((name) => checkText(document, name, "")),
    ...["defaultInputModes", "defaultOutputModes"].flatMap((name) => checkList(document, name, "")),
    ...checkEach(document, "supportedInterfaces", (one, path) =>
      ["url", "protocolBinding", "protocolVersion"].flatMap((name) => checkText(one, name, path)),
    ),
    ...(isEmptyList(document["supportedInterfaces"])
      ? ["supportedInterfaces is empty; nobody can call the agent"]
      : []),
    ...checkEach(document, "skills", (one, path) => [
      ...["id", "name", "description"].flatMap((name) => checkText(one, name, path)),
      ...checkList(one, "tags", path),
    ]),
    ...unknownSchemes(document),
    ...decodingProblem(document),
  ];
}

function earlierProblems(document: Found, version: ProtocolVersion): readonly string[] {
  return [
    ...missingMembers(document, version).map((path) => `${path} is missing`),
    ...["name", "version", "url"].flatMap((name) => checkText(document, name, "")),
    ...problemOf(() => decodeAgentCard(document)),
  ];
}

function checkText(found: Found, name: string, path: string): readonly string[] {
  const value = found[name];
  if (value === undefined) return [];
  if (typeof value !== "string") return [`${path}${name} is not a text`];
  return value.trim() === "" ? [`${path}${name} is empty`] : [];
}

function checkList(found: Found, name: string, path: string): readonly string[] {
  const value = found[name];
  return value === undefined || Array.isArray(value) ? [] : [`${path}${name} is not a list`];
}

function checkEach(
  found: Found,
  name: string,
  check: (one: Found, path: string) => readonly string[],
): readonly string[] {
  const list = found[name];
  if (!Array.isArray(list)) return checkList(found, name, "");
  return list.flatMap((one: unknown, index) =>
    isObject(one) ? check(one, `${name}[${index}].`) : [`${name}[${index}] is not an object`],
  );
}

/** Requirements that name schemes which the card does not have. */
function unknownSchemes({ securitySchemes, securityRequirements }: Found): readonly string[] {
  if (!Array.isArray(securityRequirements)) return [];
  const known = isObject(securitySchemes) ? Object.keys(securitySchemes) : [];
  return securityRequirements.flatMap((one: unknown, index) => {
    const schemes = isObject(one) && isObject(one["schemes"]) ? Object.keys(one["schemes"]) : [];
    return schemes
      .filter((name) => !known.includes(name))
      .map(
        (name) =>
          `securityRequirements[${index}] names the scheme ${name}, which is not in securitySchemes`,
      );
  });
}

/** What the strict parser of 1.0 says beyond that. */
function decodingProblem(document: Found): readonly string[] {
  const cursor = new Cursor({ code: "INVALID_AGENT_RESPONSE" });
  return problemOf(() => codecs["1.0"].decodeAgentCard(document, cursor));
}

function problemOf(decode: () => unknown): readonly string[] {
  try {
    decode();
    return [];
  } catch (error) {
    return A2AError.is(error) ? [error.message] : [String(error)];
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isObject(value: unknown): value is Found {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
