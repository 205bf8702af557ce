import { codeOf, problemOf } from "./file-problems.js";
import { findPlaceProblem } from "./place-problem.js";

/** Says in plain words why a database cannot be opened, and what to do about it. */
export async function openingFailure(cause: unknown, path: string): Promise<string> {
  return `cannot open the store ${path}: ${(await findPlaceProblem(path)) ?? reasonOf(cause)}`;
}

function reasonOf(cause: unknown): string {
  // A new path is all that helps here: the file is somebody else's.
  if (codeOf(cause) === "NOTADB") return "it is not a SQLite database; choose another path";
  const problem = problemOf(cause);
  if (problem === undefined) return cause instanceof Error ? cause.message : String(cause);
  const { what, advice, isOfPlace = false } = problem;
  return `${what}; ${advice}${isOfPlace ? ", or choose another path" : ""}`;
}
