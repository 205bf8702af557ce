import { Validator } from "@cfworker/json-schema";
import type { Schema } from "@cfworker/json-schema";
import type { JsonObject } from "@parley/a2a";

/** What does not fit a schema, in words. A file of its own: the validator is loaded with the first form. */
export function validate(schema: JsonObject, value: JsonObject): readonly string[] {
  const { valid, errors } = new Validator(schema as Schema, "2020-12", false).validate(value);
  if (valid) return [];
  return errors
    .filter(({ keyword }) => keyword !== "properties")
    .slice(0, 10)
    .map(
      ({ instanceLocation, error }) =>
        `${instanceLocation.replace(/^#\/?/, "") || "value"}: ${error}`,
    );
}
