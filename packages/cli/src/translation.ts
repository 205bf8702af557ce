import { A2AError } from "@parley/a2a";
import type { JsonValue } from "@parley/a2a";

/** What a document is, and its forms. A form that is a string is the reason why a version has none. */
export interface Translation {
  readonly found: string;
  readonly forms: readonly { readonly title: string; readonly body: JsonValue }[];
}

/** A form, or the reason why a version cannot express the document. */
export function orReason(form: () => JsonValue): JsonValue {
  try {
    return form();
  } catch (error) {
    if (A2AError.is(error)) return error.message;
    throw error;
  }
}
