import type { AgentCard, JsonObject, JsonValue } from "@parley/a2a";

/**
 * The extension by which a card says what a skill takes: `params.input` has a JSON schema for each skill, by its id. The
 * message then has one data part that fits the schema.
 */
const skillSchemasUri = "urn:parley:a2a:skill-schemas:v1";

/** What a skill takes, where the card publishes it. */
export function skillSchema(card: AgentCard, skillId: string): JsonObject | undefined {
  const extension = card.capabilities.extensions?.find(({ uri }) => uri === skillSchemasUri);
  const input = extension?.params?.["input"];
  if (!isObject(input)) return undefined;
  const schema = Object.hasOwn(input, skillId) ? input[skillId] : undefined;
  return isObject(schema) ? schema : undefined;
}

/** A field of a form, from a property of a schema. */
export interface SchemaField {
  readonly name: string;
  readonly title: string;
  readonly note?: string;
  readonly kind: "text" | "number" | "boolean" | "choice" | "json";
  readonly choices?: readonly string[];
  readonly isRequired: boolean;
  readonly initial: string;
}

/** The fields of a form for an object. Anything beyond texts, numbers, booleans and choices is written as JSON. */
export function schemaFields(schema: JsonObject): readonly SchemaField[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const names = Array.isArray(required) ? new Set(required) : new Set<JsonValue>();
  return Object.entries(properties)
    .slice(0, 100)
    .map(([name, property]) => {
      const described = isObject(property) ? property : {};
      const { title, description, default: initial } = described;
      const kind = kindOf(described);
      return {
        name,
        title: typeof title === "string" ? title : name,
        ...(typeof description === "string" ? { note: description } : {}),
        kind,
        ...(kind === "choice" ? { choices: (described["enum"] as JsonValue[]).map(String) } : {}),
        isRequired: names.has(name),
        initial:
          initial === undefined
            ? ""
            : typeof initial === "string"
              ? initial
              : JSON.stringify(initial),
      };
    });
}

/** The value of a form. Fields that are empty are left out. Throws for JSON that is none. */
export function formValue(
  fields: readonly SchemaField[],
  values: Readonly<Record<string, string>>,
): JsonObject {
  const entries = fields.flatMap(({ name, kind, initial }): [string, JsonValue][] => {
    const text = values[name] ?? initial;
    if (text === "") return [];
    if (kind === "number") return [[name, Number.isNaN(Number(text)) ? text : Number(text)]];
    if (kind === "boolean") return [[name, text === "true"]];
    if (kind === "json") return [[name, JSON.parse(text) as JsonValue]];
    return [[name, text]];
  });
  return Object.fromEntries(entries);
}

function kindOf(property: JsonObject): SchemaField["kind"] {
  const { type } = property;
  if (Array.isArray(property["enum"])) return "choice";
  if (type === "string") return "text";
  if (type === "number" || type === "integer") return "number";
  return type === "boolean" ? "boolean" : "json";
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
