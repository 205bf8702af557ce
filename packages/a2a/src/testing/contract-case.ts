import { assert } from "./assert.js";

/** One statement of a contract, for any test runner: `test(name, run)`, unless it is skipped. */
export interface ContractCase {
  readonly name: string;
  /** Why this implementation need not hold the statement. */
  readonly skipped?: string;
  readonly run: () => Promise<void>;
}

/** Statements an implementation does not hold, by name, and why not. */
export interface Skip {
  readonly reason: string;
  readonly cases: readonly string[];
}

/** Statements by name, each with what it needs. */
export type Statements<Bench> = Readonly<Record<string, (bench: Bench) => Promise<void>>>;

/** Turns statements into cases. Refuses a skip without a reason, and one of a name that is not there. */
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
