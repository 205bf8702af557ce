import { A2AError } from "../a2a-error.js";
import type { ErrorCode } from "../a2a-error.js";
import { defaultLimits } from "../limits.js";
import type { Limits } from "../limits.js";

export interface CursorOptions {
  /** What a violation is reported as. `INVALID_PARAMS` unless a peer's answer is being read. */
  readonly code?: ErrorCode;
  readonly limits?: Limits;
  /** Makes ids for what older versions leave without one. */
  readonly newId?: () => string;
  /** The path of the value that is read, when it is not the root. */
  readonly at?: readonly (string | number)[];
}

const noOptions: CursorOptions = {};

/** Where a parser is in a document, and by which rules it reads. Used for one document only. */
export class Cursor {
  readonly code: ErrorCode;
  readonly limits: Limits;
  readonly newId: () => string;
  readonly path: (string | number)[];
  /** True when a peer's answer is read rather than a caller's request. */
  readonly isPeer: boolean;

  constructor(options: CursorOptions = noOptions) {
    this.code = options.code ?? "INVALID_PARAMS";
    this.limits = options.limits ?? defaultLimits;
    this.newId = options.newId ?? newUuid;
    this.path = options.at === undefined ? [] : [...options.at];
    this.isPeer = this.code === "INVALID_AGENT_RESPONSE";
  }

  /** The path as people write it: `message.parts[1].text`. Empty at the root. */
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

  /** Parses the member `step` of the current value, unless it lies deeper than is allowed. */
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

function newUuid(): string {
  return crypto.randomUUID();
}

/** What was found, in a word, for messages. Never the value itself: it may be a secret. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
