import type { ErrorCode, ErrorDetails } from "@parley/a2a";

/** A request that the backend refuses, with the status and the words of its answer. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly hint: string | undefined;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    more: { readonly details?: ErrorDetails; readonly hint?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details;
    this.hint = more.hint;
  }
}

/** The refusal of a field of a body or of a query. */
export function badField(field: string, description: string): Refusal {
  return new Refusal(400, "INVALID_PARAMS", `${field} ${description}`, {
    details: { fieldViolations: [{ field, description }] },
  });
}

/** The refusal of what is not there, or no longer. */
export function notThere(what: string): Refusal {
  return new Refusal(404, "METHOD_NOT_FOUND", `there is no ${what}`);
}
