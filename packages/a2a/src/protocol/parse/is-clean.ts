import type { Message } from "../message.js";
import type { Part } from "../part.js";
import type { Cursor } from "./cursor.js";

/**
 * True for a message that is exactly in the model's form. The check costs a fraction of the parser, and
 * nearly all traffic passes it. Everything else goes to the parser, which alone decides what is accepted,
 * changed or refused. So `true` must mean that the parser would return the very same object; `false`
 * means nothing.
 */
export function isCleanMessage(value: unknown, cursor: Cursor): value is Message {
  if (typeof value !== "object" || value === null) return false;
  const { maxParts } = cursor.limits;
  let found = 0;
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    switch (name) {
      case "messageId":
        if (!isPlainId(member, cursor)) return false;
        found += 1;
        break;
      case "role":
        if (member !== "ROLE_USER" && member !== "ROLE_AGENT") return false;
        found += 1;
        break;
      case "parts":
        if (!Array.isArray(member) || member.length === 0 || member.length > maxParts) return false;
        for (const part of member as readonly unknown[])
          if (!isCleanPart(part, cursor)) return false;
        found += 1;
        break;
      case "contextId":
      case "taskId":
        if (!isPlainId(member, cursor)) return false;
        break;
      case "metadata":
        if (!isCleanObject(member, cursor, cursor.path.length + 1)) return false;
        break;
      default:
        return false;
    }
  }
  return found === 3;
}

/** The same for a part with text or data, as most parts are. Files always go to the parser. */
export function isCleanPart(value: unknown, cursor: Cursor): value is Part {
  if (typeof value !== "object" || value === null) return false;
  let found = 0;
  for (const name in value) {
    const member = (value as Readonly<Record<string, unknown>>)[name];
    switch (name) {
      case "text":
        if (typeof member !== "string" || !member.isWellFormed()) return false;
        found += 1;
        break;
      case "data":
        if (!isCleanJson(member, cursor, cursor.path.length + deepestPart)) return false;
        found += 1;
        break;
      case "mediaType":
      case "filename":
        if (typeof member !== "string" || member === "" || !member.isWellFormed()) return false;
        break;
      case "metadata":
        if (!isCleanObject(member, cursor, cursor.path.length + deepestPart)) return false;
        break;
      default:
        return false;
    }
  }
  return found === 1;
}

/** How many levels a part's member can be below the cursor: `parts`, the index, the member. */
const deepestPart = 3;

const unusualInId = /[^!-~]/;

function isPlainId(value: unknown, cursor: Cursor): boolean {
  return (
    typeof value === "string" &&
    value !== "" &&
    value.length <= cursor.limits.maxIdLength &&
    !unusualInId.test(value)
  );
}

function isCleanObject(value: unknown, cursor: Cursor, depth: number): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    isCleanJson(value, cursor, depth)
  );
}

function isCleanJson(value: unknown, cursor: Cursor, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "boolean" || value === null) return true;
  if (typeof value !== "object" || depth >= cursor.limits.maxJsonDepth) return false;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) {
      if (!isCleanJson(element, cursor, depth + 1)) return false;
    }
    return true;
  }
  for (const name in value) {
    if (name === "__proto__" || !name.isWellFormed()) return false;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    if (!isCleanJson(member, cursor, depth + 1)) return false;
  }
  return true;
}
