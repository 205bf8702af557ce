import type { Verdict } from "../scheme.js";

/**
 * A verifier or a scheme gave something that is no verdict: a mistake in the server's own code. It goes to the log; the
 * caller learns of an internal error, and is not admitted.
 */
class WrongVerdict extends Error {
  constructor(scheme: string, found: string) {
    super(
      `the scheme ${JSON.stringify(scheme)} gave ${found}; expected known({ subject, scopes }) or invalid(reason), ` +
        'both from "@parley/a2a/auth"',
    );
    this.name = "WrongVerdict";
  }
}

/** Throws a `WrongVerdict` unless a value is a verdict. Its message shows names and kinds only: the value may hold secrets. */
export function checkVerdict(value: unknown, scheme: string): Verdict {
  const problem = problemOf(value);
  if (problem !== undefined) throw new WrongVerdict(scheme, problem);
  return value as Verdict;
}

type Members = Readonly<Record<string, unknown>>;

function problemOf(value: unknown): string | undefined {
  if (!isObject(value)) return shapeOf(value);
  const { kind, reason, identity } = value;
  if (kind === "absent") return undefined;
  if (kind === "invalid") {
    return typeof reason === "string" ? undefined : 'the kind "invalid" without a reason';
  }
  if (kind !== "known") return shapeOf(value);
  if (!isObject(identity)) return 'the kind "known" without an identity';
  const { subject, scopes, issuer } = identity;
  if (typeof subject !== "string") return "an identity whose subject is not a string";
  if (!Array.isArray(scopes) || !scopes.every((one) => typeof one === "string")) {
    return "an identity whose scopes are not a list of strings";
  }
  const hasIssuer = issuer === undefined || typeof issuer === "string";
  return hasIssuer ? undefined : "an identity whose issuer is not a string";
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shapeOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  const names = Object.keys(value);
  return names.length === 0 ? "an empty object" : `an object with ${names.join(", ")}`;
}
