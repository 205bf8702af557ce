import type { JsonValue } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";

/**
 * When a member is present: always; when it is set; or only when its value is not the default, which
 * protobuf calls implicit presence.
 */
type Presence = "required" | "optional" | "implicit";

/** The kind of value of a member, which decides its default. A struct is free-form JSON. */
type Kind = "text" | "flag" | "message" | "list" | "map" | "struct";

export interface MemberRule {
  readonly kind: Kind;
  readonly presence: Presence;
  /** The rule of the message in the member, or of its elements or values. */
  readonly of?: MessageRule;
}

export type MessageRule = ReadonlyMap<string, MemberRule>;

function message(members: Readonly<Record<string, MemberRule>>): MessageRule {
  return new Map(Object.entries(members));
}

function list(presence: Presence, of?: MessageRule): MemberRule {
  return { kind: "list", presence, ...(of !== undefined && { of }) };
}

function map(presence: Presence, of?: MessageRule): MemberRule {
  return { kind: "map", presence, ...(of !== undefined && { of }) };
}

function one(presence: Presence, of: MessageRule): MemberRule {
  return { kind: "message", presence, of };
}

const requiredText: MemberRule = { kind: "text", presence: "required" };
const optionalText: MemberRule = { kind: "text", presence: "optional" };
const implicitText: MemberRule = { kind: "text", presence: "implicit" };
const flag: MemberRule = { kind: "flag", presence: "optional" };
const implicitFlag: MemberRule = { kind: "flag", presence: "implicit" };
const struct: MemberRule = { kind: "struct", presence: "optional" };

const securityRequirement = message({
  schemes: map("implicit", message({ list: list("implicit") })),
});

const oauthFlows = message({
  authorizationCode: one(
    "optional",
    message({
      authorizationUrl: requiredText,
      tokenUrl: requiredText,
      refreshUrl: implicitText,
      scopes: map("required"),
      pkceRequired: implicitFlag,
    }),
  ),
  clientCredentials: one(
    "optional",
    message({
      tokenUrl: requiredText,
      refreshUrl: implicitText,
      scopes: map("required"),
    }),
  ),
  implicit: one(
    "optional",
    message({
      authorizationUrl: implicitText,
      refreshUrl: implicitText,
      scopes: map("implicit"),
    }),
  ),
  password: one(
    "optional",
    message({
      tokenUrl: implicitText,
      refreshUrl: implicitText,
      scopes: map("implicit"),
    }),
  ),
  deviceCode: one(
    "optional",
    message({
      deviceAuthorizationUrl: requiredText,
      tokenUrl: requiredText,
      refreshUrl: implicitText,
      scopes: map("required"),
    }),
  ),
});

const description = implicitText;

export const securitySchemeRule: MessageRule = message({
  apiKeySecurityScheme: one(
    "optional",
    message({ description, location: requiredText, name: requiredText }),
  ),
  httpAuthSecurityScheme: one(
    "optional",
    message({ description, scheme: requiredText, bearerFormat: implicitText }),
  ),
  oauth2SecurityScheme: one(
    "optional",
    message({
      description,
      flows: one("required", oauthFlows),
      oauth2MetadataUrl: implicitText,
    }),
  ),
  openIdConnectSecurityScheme: one(
    "optional",
    message({ description, openIdConnectUrl: requiredText }),
  ),
  mtlsSecurityScheme: one("optional", message({ description })),
});

/** The presence of every member of an `AgentCard`, as the 1.0 schema marks it (§5.7, §8.4.1). */
export const agentCardRule: MessageRule = message({
  name: requiredText,
  description: requiredText,
  supportedInterfaces: list(
    "required",
    message({
      url: requiredText,
      protocolBinding: requiredText,
      tenant: implicitText,
      protocolVersion: requiredText,
    }),
  ),
  provider: one("optional", message({ url: requiredText, organization: requiredText })),
  version: requiredText,
  documentationUrl: optionalText,
  capabilities: one(
    "required",
    message({
      streaming: flag,
      pushNotifications: flag,
      extensions: list(
        "implicit",
        message({
          uri: implicitText,
          description,
          required: implicitFlag,
          params: struct,
        }),
      ),
      extendedAgentCard: flag,
    }),
  ),
  securitySchemes: map("implicit", securitySchemeRule),
  securityRequirements: list("implicit", securityRequirement),
  defaultInputModes: list("required"),
  defaultOutputModes: list("required"),
  skills: list(
    "required",
    message({
      id: requiredText,
      name: requiredText,
      description: requiredText,
      tags: list("required"),
      examples: list("implicit"),
      inputModes: list("implicit"),
      outputModes: list("implicit"),
      securityRequirements: list("implicit", securityRequirement),
    }),
  ),
  signatures: list(
    "implicit",
    message({ protected: requiredText, signature: requiredText, header: struct }),
  ),
  iconUrl: optionalText,
});

/**
 * Removes the members that mean the same when they are absent. Keeps members that the rule does not
 * know, adds no missing one, and leaves values of a wrong type for the parser to refuse.
 */
export function pruneMessage(value: JsonValue, rule: MessageRule): JsonValue {
  if (!isJsonObject(value)) return value;
  const entries: [string, JsonValue][] = [];
  for (const [name, given] of Object.entries(value)) {
    const member = rule.get(name);
    const pruned = member?.of === undefined ? given : pruneMember(given, member.kind, member.of);
    if (member === undefined ? pruned !== undefined : isPresent(pruned, member)) {
      entries.push([name, pruned]);
    }
  }
  // Not by assignment: a member named __proto__ would vanish instead of breaking the signature.
  return Object.fromEntries(entries);
}

function pruneMember(value: JsonValue, kind: Kind, of: MessageRule): JsonValue {
  if (kind === "message") return pruneMessage(value, of);
  if (kind === "list" && Array.isArray(value)) {
    return value.map((element: JsonValue) => pruneMessage(element, of));
  }
  if (kind === "map" && isJsonObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, element]) => [name, pruneMessage(element, of)]),
    );
  }
  return value;
}

function isPresent(value: JsonValue | undefined, { kind, presence }: MemberRule): boolean {
  if (value === undefined) return false;
  if (presence === "required") return true;
  if (value === null) return false;
  return presence === "optional" || !isDefault(value, kind);
}

function isDefault(value: JsonValue, kind: Kind): boolean {
  switch (kind) {
    case "text":
      return value === "";
    case "flag":
      return value === false;
    case "list":
      return Array.isArray(value) && value.length === 0;
    case "map":
      return isJsonObject(value) && Object.keys(value).length === 0;
    case "message":
    case "struct":
      return false;
  }
}
