import type { AgentCard, JsonObject, JsonValue } from "../protocol/internal.js";
import { isJsonObject } from "../protocol/parse/internal.js";
import { findOldestInterface, listEarlierInterfaces } from "./card/card-interfaces.js";
import type { CardPath } from "./card/card-version.js";
import { encodeSecurityScheme } from "./card/openapi-security.js";
import { codecs } from "./codecs.js";
import { isAtLeastVersion1, majorMinor } from "./version.js";

/**
 * The forms in which a card is served. A blended card is complete for readers of 1.0, 0.3 and 0.2 at
 * once; `blended-0.1` is complete for readers of 0.1 too.
 */
export type CardForm = "1.0" | "0.3" | "blended" | "blended-0.1";

/**
 * The form for a request, by its path and the version that the caller names. No version is refused: the
 * card is where callers learn which versions there are.
 */
export function cardFormFor({
  path,
  version,
  strict = false,
}: {
  readonly path: CardPath;
  readonly version: string | undefined;
  /** Whether a reader who names no version gets the card of 1.0 and nothing else. */
  readonly strict?: boolean;
}): CardForm {
  if (path === "agent.json") return "blended-0.1";
  if (isAtLeastVersion1(version)) return "1.0";
  if (majorMinor(version ?? "") !== undefined) return "0.3";
  return strict ? "1.0" : "blended";
}

/**
 * Encodes a card in one of its forms. The form `0.3` throws `VERSION_NOT_SUPPORTED` when the card has no
 * interface for 0.2 or 0.3; the blended forms leave such a version out. Only the 1.0 form keeps the
 * signatures: every other form has other content and needs its own.
 */
export function encodeCardForm(card: AgentCard, form: CardForm): JsonObject {
  switch (form) {
    case "1.0":
      return codecs["1.0"].encodeAgentCard(card);
    case "0.3":
      return codecs["0.3"].encodeAgentCard(card);
    case "blended":
      return blend(
        card,
        listEarlierInterfaces(card).length > 0 ? [codecs["0.3"].encodeAgentCard(card)] : [],
      );
    case "blended-0.1": {
      const earlier = encodeForOldest(card);
      return earlier.length === 0 ? blend(card, earlier) : complete(blend(card, earlier));
    }
  }
}

/** Gives `agent.json` all members that some of its readers require. An agent that names no provider is its own. */
function complete(card: JsonObject): JsonObject {
  const { name = "", url = "", provider = { organization: name, url } } = card;
  return {
    ...card,
    provider,
    authentication: card["authentication"] ?? null,
    capabilities: {
      streaming: false,
      pushNotifications: false,
      stateTransitionHistory: false,
      ...asObject(card["capabilities"]),
    },
  };
}

/** Readers of 0.1 expect JSON-RPC at `url`, so JSON-RPC comes first in the members of 0.2 and 0.3 too. */
function encodeForOldest(card: AgentCard): readonly JsonObject[] {
  const supportedInterfaces = card.supportedInterfaces.toSorted(
    (a, b) => Number(b.protocolBinding === "JSONRPC") - Number(a.protocolBinding === "JSONRPC"),
  );
  return [
    ...(findOldestInterface(card) === undefined ? [] : [codecs["0.1"].encodeAgentCard(card)]),
    ...(listEarlierInterfaces(card).length === 0
      ? []
      : [codecs["0.3"].encodeAgentCard({ ...card, supportedInterfaces })]),
  ];
}

/** The 1.0 card over the earlier ones. Members of one name are equal, except for the three merged here. */
function blend(card: AgentCard, earlier: readonly JsonObject[]): JsonObject {
  const current = codecs["1.0"].encodeAgentCard(card);
  if (earlier.length === 0) return current;
  const forms = [...earlier, current];
  const { signatures: _, ...blended } = merge(forms);
  return {
    ...blended,
    capabilities: merge(forms.map(({ capabilities }) => asObject(capabilities))),
    skills: card.skills.map((__, index) =>
      merge(forms.map(({ skills }) => elementOf(skills, index))),
    ),
    ...("securitySchemes" in current && {
      securitySchemes: blendSchemes(card, asObject(current["securitySchemes"])),
    }),
  };
}

/** Gives every scheme a `type`, even one that the 0.3 card leaves out: readers of 0.3 require it. */
function blendSchemes({ securitySchemes = {} }: AgentCard, current: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(securitySchemes).map(([name, scheme]) => [
      name,
      { ...encodeSecurityScheme(scheme), ...asObject(current[name]) },
    ]),
  );
}

function merge(objects: readonly JsonObject[]): JsonObject {
  return objects.reduce((merged, next) => ({ ...merged, ...next }), {});
}

function elementOf(list: JsonValue | undefined, index: number): JsonObject {
  return Array.isArray(list) ? asObject(list[index] as JsonValue | undefined) : {};
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
