import { A2AError } from "../a2a-error.js";
import type { ErrorCode } from "../a2a-error.js";
import { defaultLimits, maxFieldLength } from "../limits.js";
import type { Limits } from "../limits.js";

export interface CursorOptions {
  /** The error code of a violation: `INVALID_PARAMS`, or `INVALID_AGENT_RESPONSE` for a peer's answer. */
  readonly code?: ErrorCode;
  readonly limits?: Limits;
  /** Makes ids for messages that have none, which earlier versions allow. */
  readonly newId?: () => string;
  /** Whether the sender puts the base64 text of a file where the protobuf of 0.3 has its bytes. */
  readonly textFiles?: boolean;
  /** Accepts nothing that a version's own definition does not have. Servers read callers so that ask for it. */
  readonly strict?: boolean;
  /** The path of the value, when it is not the root of its document. */
  readonly at?: readonly (string | number)[];
}

/** A parser's place in a document, and the rules by which it reads. Used for one document only. */
export class Cursor {
  readonly code: ErrorCode;
  readonly limits: Limits;
  readonly newId: () => string;
  readonly path: (string | number)[];
  /** True when the document is a peer's answer, false when it is a caller's request. */
  readonly isPeer: boolean;
  /** True when bytes of a file in the protobuf of 0.3 may be base64 text. */
  readonly hasTextFiles: boolean;
  /** True when a caller's request has to be as its version defines it, to the letter. */
  readonly isStrict: boolean;
  /** The most UTF-16 units of a URL, a name, a token, a credential or a header. Only callers are bound by it. */
  readonly maxFieldLength: number;

  constructor({
    code = "INVALID_PARAMS",
    limits = defaultLimits,
    newId = newUuid,
    strict = false,
    textFiles = false,
    at = [],
  }: CursorOptions = {}) {
    this.code = code;
    this.limits = limits;
    this.newId = newId;
    this.path = [...at];
    this.isPeer = code === "INVALID_AGENT_RESPONSE";
    this.isStrict = strict;
    this.hasTextFiles = textFiles;
    this.maxFieldLength = code === "INVALID_PARAMS" ? maxFieldLength : Infinity;
  }

  /** The path in one string: `message.parts[1].text`. Empty at the root. */
  field(): string {
    let field = "";
    for (const step of this.path) {
      if (typeof step === "number") field += `[${step}]`;
      else field += field === "" ? step : `.${step}`;
    }
    return field;
  }

  /** Refuses the value at the current path, or at the member `step` of it. */
  fail(description: string, step?: string | number): never {
    if (step !== undefined) this.path.push(step);
    const field = this.field();
    throw new A2AError(this.code, field === "" ? description : `${field}: ${description}`, {
      details: { fieldViolations: [{ field, description }] },
    });
  }

  /** Parses the member `step` of the current value. Refuses it when it is nested too deeply. */
  enter<T>(step: string | number, value: unknown, parse: Parser<T>): T {
    const { maxJsonDepth } = this.limits;
    if (this.path.length >= maxJsonDepth) {
      this.fail(`expected at most ${maxJsonDepth} levels of nesting`);
    }
    this.path.push(step);
    const result = parse(value, this);
    this.path.pop();
    return result;
  }
}

/**
 * Turns an unknown value into a typed one, or refuses it through the cursor. Returns the very value it
 * was given when nothing had to change, so that a clean document costs no copy.
 */
export type Parser<T> = (value: unknown, cursor: Cursor) => T;

export function newUuid(): string {
  return crypto.randomUUID();
}

/** Names the kind of a value for error messages. Never the value itself, which may be a secret. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
