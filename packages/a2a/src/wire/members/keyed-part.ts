import type { JsonObject, Part } from "../../protocol/internal.js";
import { jsonObject, jsonValue, members, string } from "../../protocol/parse/internal.js";
import type { Cursor, Members, Parser } from "../../protocol/parse/internal.js";
import { decodeFile, encodeFile } from "./file-content.js";
import { liftData, liftDescription, lowerData, lowerDescription } from "./part-metadata.js";

/** What the versions that key parts by name allow inside them. */
export interface PartRules {
  readonly data: Parser<JsonObject> | typeof jsonValue;
  /** A file may be named without being given. */
  readonly allowReference: boolean;
}

export function decodeKeyedPart(value: unknown, cursor: Cursor, rules: PartRules): Part {
  const source = members(value, cursor);
  const keyName = (source["kind"] ?? null) === null ? "type" : "kind";
  const kind = source[keyName] ?? memberOf(source, cursor);
  const metadata = metadataOf(source, cursor);
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

/** A part's kind and the members that go with it in every version that keys parts by name. */
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

/** The one content of a part that does not name its kind; none or several would be guesswork. */
function memberOf(source: Members, cursor: Cursor): (typeof contentNames)[number] {
  const [name, ...others] = contentNames.filter((one) => (source[one] ?? null) !== null);
  if (name !== undefined && others.length === 0) return name;
  const count = name === undefined ? 0 : others.length + 1;
  return cursor.fail(`exactly one of ${contentNames.join(", ")} is required, got ${count}`);
}

function metadataOf(source: Members, cursor: Cursor): JsonObject | undefined {
  const metadata = source["metadata"] ?? undefined;
  return metadata === undefined ? undefined : cursor.enter("metadata", metadata, jsonObject);
}
