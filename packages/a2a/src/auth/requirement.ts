import type { Principal, SecurityRequirement } from "../protocol/internal.js";

/**
 * Schemes that are required together, each with the scopes that it has to grant, as in OpenAPI:
 * `{ oidc: ["trips"], key: [] }`. The first scheme says who the caller is. A requirement without schemes admits
 * callers without credentials.
 */
export type Requirement = Readonly<Record<string, readonly string[]>>;

/** A requirement in the form of cards. */
export function toSecurityRequirement(requirement: Requirement): SecurityRequirement {
  const schemes = Object.entries(requirement).map(
    ([name, list]) => [name, list.length === 0 ? {} : { list }] as const,
  );
  return { schemes: Object.fromEntries(schemes) };
}

/** The required scopes that were not granted. */
export function missingScopes(
  required: readonly string[],
  granted: readonly string[],
): readonly string[] {
  return required.filter((scope) => !granted.includes(scope));
}

/**
 * Whether a caller meets one of the alternatives, such as those of a skill. Without alternatives every
 * caller does.
 */
export function meetsRequirements(
  principal: Principal | undefined,
  alternatives: readonly SecurityRequirement[] = [],
): boolean {
  const grants = new Map(Object.entries(principal?.grants ?? {}));
  const isMet = ({ schemes }: SecurityRequirement): boolean =>
    Object.entries(schemes).every(([name, { list = [] }]) => {
      const granted = grants.get(name);
      return granted !== undefined && missingScopes(list, granted).length === 0;
    });
  return alternatives.length === 0 || alternatives.some(isMet);
}
