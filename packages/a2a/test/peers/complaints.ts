import { expectedOf, isOffered, knownFailureOf, nameOf } from "./case.js";
import type { Case } from "./case.js";
import type { KnownFailure } from "./known-failures.js";

/** What came of a case: nothing, if it passed. */
export interface Result {
  readonly of: Case;
  readonly error?: string;
}

/**
 * What is wrong with the results: failures that nobody has explained, explained failures that pass, and explanations that fit
 * no case at all. Nothing, if all is as the list of known failures says.
 */
export function complaintsOf(
  results: readonly Result[],
  known: readonly KnownFailure[],
  all: readonly Case[],
): readonly string[] {
  const surprises = results.flatMap(({ of, error }) => {
    const isExpected = (error === undefined ? "pass" : "fail") === expectedOf(of, known);
    if (isExpected) return [];
    return error === undefined
      ? [`${nameOf(of)} passes now: remove it from known-failures.ts`]
      : [`${nameOf(of)} fails, and known-failures.ts does not say why: ${error}`];
  });
  const idle = known
    .filter(
      (failure) => !all.some((one) => isOffered(one) && knownFailureOf(one, known) === failure),
    )
    .map(({ because }) => `no case is explained by "${because}": remove it from known-failures.ts`);
  return [...surprises, ...idle];
}
