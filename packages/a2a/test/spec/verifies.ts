import type { RequirementId } from "../../../cli/src/conformance/requirements.js";

/**
 * Cites the requirements that a test checks, as the first line of a test body or at the top of a
 * `describe`. It does nothing when it runs: the compiler checks that the ids exist, and
 * `requirements.test.ts` reads the calls from the source text, so pass the ids as string literals.
 *
 * @example
 * it("answers a message for an unknown task with an error", () => {
 *   verifies("send:unknown-task-id");
 * });
 */
export function verifies(..._ids: readonly RequirementId[]): void {}
