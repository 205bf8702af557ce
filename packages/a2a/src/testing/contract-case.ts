import { assert } from "./assert.js";

/** One statement of a contract, for any test runner: `test(name, run)`, unless `skipped` is set. */
export interface ContractCase {
  readonly name: string;
  /** Why the statement does not apply to this implementation. */
  readonly skipped?: string;
  readonly run: () => Promise<void>;
}

/** Statements that do not apply to an implementation, by name, and why. */
export interface Skip {
  readonly reason: string;
  readonly cases: readonly string[];
}

/** Statements by name. Each gets a bench: what it needs to run. */
export type Statements<Bench> = Readonly<Record<string, (bench: Bench) => Promise<void>>>;

/** Turns statements into cases. Throws for a skip without a reason, and for a skip of an unknown statement. */
export function toCases<Bench>(
  statements: Statements<Bench>,
  use: (statement: (bench: Bench) => Promise<void>) => Promise<void>,
  skips: readonly Skip[] = [],
): ContractCase[] {
  const reasons = new Map<string, string>();
  for (const { reason, cases } of skips) {
    assert(reason.trim() !== "", `skipping needs a reason: ${cases.join(", ")}`);
    for (const name of cases) {
      assert(name in statements, `there is no case "${name}" to skip`);
      reasons.set(name, reason);
    }
  }
  return Object.entries(statements).map(([name, statement]) => {
    const skipped = reasons.get(name);
    return { name, ...(skipped !== undefined && { skipped }), run: () => use(statement) };
  });
}
