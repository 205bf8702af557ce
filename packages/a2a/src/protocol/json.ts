/** Any value JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object; metadata and extension parameters are of this type. */
export interface JsonObject {
  readonly [member: string]: JsonValue;
}
