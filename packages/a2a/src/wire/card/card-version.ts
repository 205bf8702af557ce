import { A2AError } from "../../protocol/internal.js";
import type { AgentCard } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Members } from "../../protocol/parse/internal.js";
import { memberNamed } from "../members/named-member.js";
import { quote } from "../members/quote.js";
import { majorMinor } from "../version.js";

/** The file below `/.well-known/` that a card is served as. */
export type CardPath = "agent-card.json" | "agent.json";

/**
 * Infers the version of a card from its content, as Major.Minor. A card with the members of 1.0 and of
 * earlier versions is `1.0`: its interfaces name their own versions.
 */
export function inferCardVersion(json: unknown, servedAt?: CardPath): string {
  return hasInterfaces(json) ? "1.0" : inferEarlierCardVersion(json, servedAt);
}

/** The members that 0.1 does not have. */
const sinceVersion02 = [
  "preferredTransport",
  "additionalInterfaces",
  "securitySchemes",
  "security",
  "supportsAuthenticatedExtendedCard",
];

/** The same for a reader of versions before 1.0, who does not know `supportedInterfaces`. */
export function inferEarlierCardVersion(json: unknown, servedAt?: CardPath): string {
  const card = asMembers(json);
  const declared = memberNamed(card, "protocolVersion");
  const version = typeof declared === "string" ? majorMinor(declared) : undefined;
  if (version !== undefined) return version;
  if (hasAny(card, sinceVersion02)) return "0.2";
  // Some agents of 0.2 describe one scheme here, as `{type, scheme}`. Only 0.1 has a list of schemes.
  if (Array.isArray(asMembers(card["authentication"])["schemes"])) return "0.1";
  return servedAt === "agent.json" && hasUndescribedSkill(card) ? "0.1" : "0.2";
}

/** True for a card in the form of 1.0, also when its list of interfaces is called `interfaces`. */
export function hasInterfaces(json: unknown): boolean {
  const card = asMembers(json);
  const supported = memberNamed(card, "supportedInterfaces");
  if (Array.isArray(supported)) return supported.length > 0 || !hasAny(card, ["url"]);
  const { interfaces } = card;
  return Array.isArray(interfaces) && interfaces.some(namesBinding);
}

/** Creates the error for a version that the card has no interface for. It names what the agent offers. */
export function createCardVersionError(card: AgentCard, requested: string): A2AError {
  const offered = card.supportedInterfaces.map(
    ({ protocolBinding, protocolVersion }) => `${protocolBinding} ${protocolVersion}`,
  );
  const versions = card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion);
  return new A2AError(
    "VERSION_NOT_SUPPORTED",
    `${quote(card.name)} has no interface for version ${requested}; it offers ${offered.join(", ") || "none"}`,
    {
      details: {
        metadata: {
          requestedVersion: requested,
          supportedVersions: [...new Set(versions)].join(", "),
        },
      },
    },
  );
}

function namesBinding(entry: unknown): boolean {
  return hasAny(asMembers(entry), ["protocolBinding", "protocolVersion"]);
}

function hasUndescribedSkill(card: Members): boolean {
  const { skills } = card;
  return (
    Array.isArray(skills) && skills.some((skill) => !hasAny(asMembers(skill), ["description"]))
  );
}

function hasAny(card: Members, names: readonly string[]): boolean {
  return names.some((name) => memberNamed(card, name) !== null);
}

function asMembers(value: unknown): Members {
  return isJsonObject(value) ? value : {};
}
