/** The differences between the dialects that share the JSON-schema shapes of 0.2 and 0.3. */
export interface Shape {
  /** Parts have `type` beside `kind`. */
  readonly typeMember?: true;
  /** Everything is also valid in 0.1: `sessionId`, `id`, artifact `index`, the states of 0.1. */
  readonly alsoOldest?: true;
  /** REST: answers are wrapped in a member of their kind, and lists are bare. */
  readonly rest?: true;
}

export type SchemaDialect = "0.3" | "0.3+type" | "0.3-schema" | "0.1+0.3";

export const shapes: Readonly<Record<SchemaDialect, Shape>> = {
  "0.3": {},
  "0.3+type": { typeMember: true },
  "0.3-schema": { rest: true },
  "0.1+0.3": { typeMember: true, alsoOldest: true },
};
