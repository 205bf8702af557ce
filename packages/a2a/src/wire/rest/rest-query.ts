import { A2AError } from "../../protocol/internal.js";
import type { JsonObject, JsonValue } from "../../protocol/internal.js";
import { describe } from "../../protocol/parse/internal.js";
import { quote } from "../members/quote.js";

/**
 * The parameters that operations have in their queries. Everything else is taken from bodies only: queries end up in
 * logs, and any page can make a browser send one, so they hold no URL of a webhook and no secret. What is not listed
 * may be for others, such as an API key, and is ignored.
 */
const parameters: ReadonlySet<string> = new Set([
  "configId",
  "contextId",
  "historyLength",
  "id",
  "includeArtifacts",
  "lastUpdatedAfter",
  "pageSize",
  "pageToken",
  "pushNotificationConfigId",
  "status",
  "statusTimestampAfter",
  "taskId",
  "tenant",
]);

/** The boolean parameters. No operation has a list in its query. */
const booleans: ReadonlySet<string> = new Set(["includeArtifacts"]);

/**
 * Decodes the parameters of a query, under their camelCase names. Integers, enums and timestamps stay
 * strings, which their parsers accept. Throws `INVALID_PARAMS` for a parameter that occurs twice.
 */
export function decodeRestQuery(query: URLSearchParams): JsonObject {
  const members = new Map<string, JsonValue>();
  for (const [written, value] of query) {
    const name = camelCase(written);
    if (!parameters.has(name)) continue;
    if (members.has(name)) fail(name, "expected one value, got several");
    members.set(name, booleans.has(name) ? (readBoolean(value) ?? value) : value);
  }
  return Object.fromEntries(members);
}

/** Encodes a query, without the question mark (§11.5). Throws `INVALID_PARAMS` for a list or an object. */
export function encodeRestQuery(members: JsonObject): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(members)) {
    if (value === null || value === undefined) continue;
    if (typeof value === "object") fail(name, `expected a single value, got ${describe(value)}`);
    query.append(name, String(value));
  }
  return query.toString();
}

function readBoolean(value: string): boolean | undefined {
  if (value === "true") return true;
  return value === "false" ? false : undefined;
}

function camelCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])_[a-z]/g, (step) => step.slice(1).toUpperCase());
}

function fail(name: string, description: string): never {
  throw new A2AError("INVALID_PARAMS", `query parameter ${quote(name)}: ${description}`, {
    details: { fieldViolations: [{ field: name.slice(0, 64).toWellFormed(), description }] },
  });
}
