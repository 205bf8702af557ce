import type { JsonObject, JsonValue } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import { canonicalJson } from "./canonical-json.js";
import { agentCardRule, pruneMessage } from "./card-presence.js";
import type { MemberRule, MessageRule } from "./card-presence.js";

/**
 * The canonical forms that signers of cards use. `spec` is the one of §8.4.1. Some signers leave out
 * every empty value, even a required one (`stripped`), and some of those also write characters beyond
 * ASCII as `\uXXXX` (`stripped-ascii`).
 */
export const canonicalForms = ["spec", "stripped", "stripped-ascii"] as const;

export type CanonicalForm = (typeof canonicalForms)[number];

/**
 * The bytes of a card that a signature covers: RFC 8785, after the presence rules, without `signatures`.
 * They include members that 1.0 does not know, which blended cards have. Throws for a card that has no
 * canonical form, such as one with a lone surrogate.
 */
export function canonicalizeAgentCard(card: JsonObject, form: CanonicalForm = "spec"): Uint8Array {
  const content = pruneContent(card);
  const canonical = canonicalJson(form === "spec" ? content : (strip(content) ?? {}));
  return new TextEncoder().encode(
    form === "stripped-ascii" ? escapeNonAscii(canonical) : canonical,
  );
}

/**
 * The paths of members that the stripped forms leave out although they have a meaning: an empty list of
 * scopes still names the required scheme. Adding or removing such a member does not change the stripped
 * bytes, so a signature over those bytes does not vouch for a card that has one.
 */
export function listUncovered(card: JsonObject): readonly string[] {
  const uncovered: string[] = [];
  collectFromMessage(pruneContent(card), agentCardRule, { at: "", uncovered });
  return uncovered;
}

function pruneContent(card: JsonObject): JsonObject {
  const { signatures: _, ...content } = card;
  return pruneMessage(content, agentCardRule) as JsonObject;
}

/** Removes what is empty, or becomes empty by the removal. Booleans and numbers are never empty. */
function strip(value: JsonValue): JsonValue | undefined {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) {
    const elements = value.map(strip).filter((element) => element !== undefined);
    return elements.length === 0 ? undefined : elements;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value)
    .map(([name, member]) => [name, strip(member)] as const)
    .filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function escapeNonAscii(canonical: string): string {
  return canonical.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

interface Place {
  readonly at: string;
  readonly uncovered: string[];
}

/** Collects what is empty, except blank members that 1.0 knows: those mean the same as their absence. */
function collectFromMessage(value: JsonValue, rule: MessageRule, { at, uncovered }: Place): void {
  if (!isJsonObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const memberRule = rule.get(name);
    if (memberRule !== undefined && isBlank(member)) continue;
    const place = { at: at === "" ? name : `${at}.${name}`, uncovered };
    if (memberRule?.of === undefined) collectEmpties(member, place);
    else collectFromMember(member, { ...memberRule, of: memberRule.of }, place);
  }
}

function collectFromMember(
  member: JsonValue,
  { kind, presence, of }: MemberRule & { readonly of: MessageRule },
  { at, uncovered }: Place,
): void {
  const collect = (element: JsonValue, place: Place): void => {
    if (strip(element) === undefined) uncovered.push(place.at);
    else collectFromMessage(element, of, place);
  };
  if (kind === "message" && presence === "required") {
    collectFromMessage(member, of, { at, uncovered });
  } else if (kind === "message") collect(member, { at, uncovered });
  else if (Array.isArray(member)) {
    member.forEach((element: JsonValue, index) => {
      collect(element, { at: `${at}[${index}]`, uncovered });
    });
  } else if (isJsonObject(member)) {
    for (const [name, element] of Object.entries(member)) {
      collect(element, { at: `${at}.${name}`, uncovered });
    }
  }
}

function collectEmpties(value: JsonValue, { at, uncovered }: Place): void {
  if (strip(value) === undefined) uncovered.push(at);
  else if (Array.isArray(value)) {
    value.forEach((element: JsonValue, index) => {
      collectEmpties(element, { at: `${at}[${index}]`, uncovered });
    });
  } else if (isJsonObject(value)) {
    for (const [name, element] of Object.entries(value)) {
      collectEmpties(element, { at: `${at}.${name}`, uncovered });
    }
  }
}

function isBlank(value: JsonValue): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
