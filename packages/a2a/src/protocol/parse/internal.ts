/**
 * Reading what comes from outside: small parsers, ways to combine them, and the parsers of the model's
 * own form. A parser refuses a value with an `A2AError` that names the field and what was
 * expected there; it never repairs silently and never throws anything else.
 */
export { Cursor, describe, newUuid } from "./cursor.js";
export type { Parser } from "./cursor.js";
export {
  base64,
  boolean,
  historyLength,
  identifier,
  integer,
  literal,
  shortString,
  string,
  text,
  timestamp,
  url,
} from "./primitives.js";
export { parseUrl } from "./parse-url.js";
export { jsonObject, jsonValue } from "./json.js";
export {
  implicit,
  isJsonObject,
  members,
  object,
  optional,
  required,
  snakeCase,
} from "./object.js";
export type { Field, Members } from "./object.js";
export { array, map, parts } from "./collections.js";
export { isCleanMessage } from "./is-clean.js";
export { parseAnyPart } from "./part.js";
export { identifierOrEmpty, messageOf, parseMessage } from "./message.js";
export { artifactOf, parseArtifact, taskOf, taskStatusOf } from "./task.js";
export { artifactUpdateOf, statusUpdateOf, streamResponseOf } from "./stream-response.js";
export {
  oauth2SchemeOf,
  parseHttpAuthScheme,
  parseMutualTlsScheme,
  parseOpenIdConnectScheme,
  parseSecurityRequirement,
  securitySchemeOf,
} from "./security-scheme.js";
export { parseAgentCapabilities, parseAgentCard, parseAgentCardSignature } from "./agent-card.js";
