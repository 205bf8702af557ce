import { A2AError } from "@parley/a2a";
import type { JsonValue } from "@parley/a2a";

/** A document, what it was found to be, and its forms; a string says why there is none. */
export interface Translation {
  readonly found: string;
  readonly forms: readonly { readonly title: string; readonly body: JsonValue }[];
}

/** A form or, where a version cannot say such a thing, the reason. */
export function orReason(form: () => JsonValue): JsonValue {
  try {
    return form();
  } catch (error) {
    if (A2AError.is(error)) return error.message;
    throw error;
  }
}
