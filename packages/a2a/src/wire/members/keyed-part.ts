import type { JsonObject, Part } from "../../protocol/internal.js";
import { jsonObject, jsonValue, members, string } from "../../protocol/parse/internal.js";
import type { Cursor, Members, Parser } from "../../protocol/parse/internal.js";
import { decodeFile, encodeFile } from "./file-content.js";
import { hasMember } from "./named-member.js";
import { liftData, liftDescription, lowerData, lowerDescription } from "./part-metadata.js";

/** What a version with keyed parts allows inside a part. */
export interface PartRules {
  /** The member that names the kind of a part. */
  readonly key: "kind" | "type";
  readonly data: Parser<JsonObject> | typeof jsonValue;
  /** A file may have a name and nothing else. */
  readonly allowReference: boolean;
}

/**
 * Decodes a part with a key for its kind: by its `kind`, by its `type`, or else by the member it has. A strict reader
 * wants the key of its version.
 */
export function decodeKeyedPart(value: unknown, cursor: Cursor, rules: PartRules): Part {
  const source = members(value, cursor);
  const anyKey = hasMember(source, "kind") ? "kind" : "type";
  const keyName = cursor.isStrict ? rules.key : anyKey;
  const kind: unknown =
    source[keyName] ?? (cursor.isStrict ? undefined : contentName(source, cursor));
  const metadata = decodeMetadata(source, cursor);
  switch (kind) {
    case "text":
      return { text: cursor.enter("text", source["text"], string), ...liftDescription(metadata) };
    case "file": {
      const file = cursor.enter("file", source["file"], (one, at) =>
        decodeFile(one, at, rules.allowReference),
      );
      return { ...file, ...(metadata !== undefined && { metadata }) };
    }
    case "data": {
      const parse = cursor.isPeer ? jsonValue : rules.data;
      const lifted = liftData(cursor.enter("data", source["data"], parse), metadata);
      return { data: lifted.data, ...liftDescription(lifted.metadata) };
    }
    default:
      return cursor.fail('expected "text", "file" or "data"', keyName);
  }
}

/** The kind of a part and the members of that kind, for the versions with keyed parts. */
export function encodeKeyedContent(part: Part): {
  readonly kind: "text" | "file" | "data";
  readonly text?: string;
  readonly file?: JsonObject;
  readonly data?: JsonObject;
  readonly metadata: JsonObject | undefined;
} {
  if (part.text !== undefined) {
    return { kind: "text", text: part.text, metadata: lowerDescription(part) };
  }
  if (part.data !== undefined) return { kind: "data", ...lowerData(part) };
  return { kind: "file", file: { ...encodeFile(part) }, metadata: part.metadata };
}

const contentNames = ["text", "file", "data"] as const;

/** The one content member of a part, which tells the kind of a part that does not name it. */
export function contentName(source: Members, cursor: Cursor): (typeof contentNames)[number] {
  const [name, ...others] = contentNames.filter((one) => hasMember(source, one));
  if (name !== undefined && others.length === 0) return name;
  const count = name === undefined ? 0 : others.length + 1;
  return cursor.fail(`exactly one of ${contentNames.join(", ")} is required, got ${count}`);
}

/** The metadata of a part, if it has any. */
export function decodeMetadata(source: Members, cursor: Cursor): JsonObject | undefined {
  const metadata = source["metadata"] ?? undefined;
  return metadata === undefined ? undefined : cursor.enter("metadata", metadata, jsonObject);
}
