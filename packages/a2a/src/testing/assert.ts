import { A2AError } from "../protocol/internal.js";
import type { ErrorCode } from "../protocol/internal.js";

/** Throws an error with the sentence, which says what is wrong, unless the condition holds. */
export function assert(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence);
}

/** Compares by value. As in JSON, a member that is `undefined` equals an absent one. */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (isEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

/** Asserts that a promise rejects with an `A2AError` of this code. */
export async function assertRefused(
  promise: Promise<unknown>,
  code: ErrorCode,
  what: string,
): Promise<void> {
  const outcome = await outcomeOf(promise);
  assert(outcome !== "ok", `${what}: expected a refusal with ${code}, but it was accepted`);
  assertEqual(outcome, code, what);
}

/** `ok`, the code of the `A2AError` that a promise rejected with, or any other reason as text. */
export async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "ok";
  } catch (error) {
    return A2AError.is(error) ? error.code : String(error);
  }
}

/** Counts how often each outcome occurred, for races. */
export async function countOutcomes(
  promises: readonly Promise<unknown>[],
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(promises.map(outcomeOf))) {
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isObject(left) || !isObject(right)) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
  }
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Array.from(keys).every((key) => isEqual(left[key], right[key]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const maxShown = 600;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}… (${text.length} characters)`;
}
