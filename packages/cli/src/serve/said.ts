import type { JsonObject, Outcome, Output, RunContext } from "@parley/a2a";
import { BackendFailure } from "./backend-agent.js";

/** How a backend has said that its run ends. */
export interface End {
  /** The run fails or is rejected, and says why. */
  readonly isBad: boolean;
  conclude(context: RunContext): Outcome;
}

/** One thing that a backend says in JSON: an output, or how its run ends. */
export type Said = { readonly output: Output } | { readonly end: End };

type Reason = Parameters<RunContext["fail"]>[0];

/**
 * What a value of JSON means. Outputs have the shapes that handlers yield: `"text"`, `{ text }`, `{ data }`, `{ status, progress }`,
 * `{ artifact, … }`. Ends are `{ inputRequired }`, `{ completed }`, `{ failed, code, details }` and `{ rejected }`. The runtime checks
 * both, and says what is wrong with them.
 */
export function readSaid(value: unknown): Said {
  if (typeof value !== "object" || value === null) return { output: value as Output };
  if ("inputRequired" in value || "completed" in value) {
    return { end: { isBad: false, conclude: () => value as Outcome } };
  }
  if ("rejected" in value) {
    const conclude: End["conclude"] = (context) => context.reject(value.rejected as Reason);
    return { end: { isBad: true, conclude } };
  }
  if (!("failed" in value)) return { output: value as Output };
  const { failed, code, details } = value as {
    failed: Reason;
    code?: string;
    details?: JsonObject;
  };
  const options = {
    ...(code !== undefined && { code }),
    ...(details !== undefined && { details }),
  };
  return { end: { isBad: true, conclude: (context) => context.fail(failed, options) } };
}

const shown = 200;

/** The same for a line of text with JSON in it. */
export function readSaidLine(line: string, source: string): Said {
  return readSaid(parseSaid(line, source));
}

/** Parses JSON of a backend. What is no JSON fails the run. */
export function parseSaid(json: string, source: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    const start = json.length > shown ? `${json.slice(0, shown)}…` : json;
    throw new BackendFailure(`${source} wrote something that is not JSON: ${start}`, {
      code: "INVALID_OUTPUT",
      cause,
    });
  }
}
