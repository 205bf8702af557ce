import type { SecurityRequirement, SecurityScheme } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { expandRequirements, splitOAuthFlows } from "./oauth-flows.js";
import * as openApi from "./openapi-security.js";
import * as wrapped from "./wrapped-security.js";

/** The members of a card, or of a skill, that say how callers authenticate. */
export interface CardSecurity {
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  readonly securityRequirements?: readonly SecurityRequirement[];
}

/**
 * Parses a scheme in either form. A blended card has both in one object: then readers before 1.0 use
 * the OpenAPI form, readers of 1.0 the wrapped one.
 */
export function schemeReader(preferred: "openapi" | "wrapped"): Parser<SecurityScheme> {
  return (value, cursor) => {
    const names = isJsonObject(value) ? Object.keys(value) : [];
    const isOpenApi = isJsonObject(value) && typeof value["type"] === "string";
    const isWrapped = names.some((name) => wrapperName.test(name));
    return isOpenApi && (preferred === "openapi" || !isWrapped)
      ? openApi.decodeSecurityScheme(value, cursor)
      : wrapped.decodeSecurityScheme(value, cursor);
  };
}

const wrapperName = /Security_?Scheme$/i;

/** Decodes a requirement in either form. Only the wrapped form has an object called `schemes`. */
export function decodeSecurityRequirement(value: unknown, cursor: Cursor): SecurityRequirement {
  return isJsonObject(value) && isJsonObject(value["schemes"])
    ? wrapped.decodeSecurityRequirement(value, cursor)
    : openApi.decodeSecurityRequirement(value, cursor);
}

/** Splits schemes with several OAuth flows into schemes with one, and adapts every requirement. */
export function splitCardSecurity<
  T extends CardSecurity & { readonly skills: readonly CardSecurity[] },
>(card: T, cursor: Cursor): T {
  const { securitySchemes } = card;
  if (securitySchemes === undefined) return card;
  const split = splitOAuthFlows(securitySchemes);
  if (split.alternatives.size === 0) return card;
  const expand = <U extends CardSecurity>(owner: U): U =>
    owner.securityRequirements === undefined
      ? owner
      : {
          ...owner,
          securityRequirements: expandRequirements(owner.securityRequirements, split, cursor),
        };
  return { ...expand(card), securitySchemes: split.schemes, skills: card.skills.map(expand) };
}
