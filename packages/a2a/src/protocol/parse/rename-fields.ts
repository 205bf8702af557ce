import { A2AError } from "../a2a-error.js";

/** The same error with its fields under other names, in its details and at the beginning of its message. */
export function renameFields(error: A2AError, rename: (field: string) => string): A2AError {
  const { fieldViolations, ...details } = error.details;
  if (fieldViolations === undefined) return error;
  const { field: first = "" } = fieldViolations[0] ?? {};
  const message = error.message.startsWith(`${first}: `)
    ? `${rename(first)}${error.message.slice(first.length)}`
    : error.message;
  return new A2AError(error.code, message, {
    details: {
      ...details,
      fieldViolations: fieldViolations.map((one) => ({ ...one, field: rename(one.field) })),
    },
    cause: error,
  });
}
