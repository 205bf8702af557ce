import type { JsonObject, Part } from "../../protocol/internal.js";
import { jsonObject, members, object, required, string } from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { decodeFile } from "../members/file-content.js";
import {
  liftData,
  liftDescription,
  lowerData,
  lowerDescription,
} from "../members/part-metadata.js";

const contentNames = ["text", "file", "data"] as const;

const decodeDataPart = object<{ readonly data: JsonObject }>({ data: required(jsonObject) });

/** A part; its content is told by the member it has, its data nested one level deeper. */
export function decodePart(value: unknown, cursor: Cursor): Part {
  const source = members(value, cursor);
  const present = contentNames.filter((name) => (source[name] ?? null) !== null);
  const [name] = present;
  if (name === undefined || present.length > 1) {
    const found = `exactly one of ${contentNames.join(", ")} is required, got ${present.length}`;
    return cursor.fail(found);
  }
  const content = source[name];
  const metadata =
    (source["metadata"] ?? null) === null
      ? undefined
      : cursor.enter("metadata", source["metadata"], jsonObject);
  switch (name) {
    case "text":
      return { text: cursor.enter(name, content, string), ...liftDescription(metadata) };
    case "file": {
      const file = cursor.enter(name, content, decodeFile);
      return { ...file, ...(metadata !== undefined && { metadata }) };
    }
    case "data": {
      const { data } = cursor.enter(name, content, decodeDataPart);
      const lifted = liftData(data, metadata);
      return { data: lifted.data, ...liftDescription(lifted.metadata) };
    }
  }
}

export function encodePart(part: Part): JsonObject {
  if (part.text !== undefined) {
    return compact({ text: part.text, metadata: lowerDescription(part) });
  }
  if (part.data !== undefined) {
    const { data, metadata } = lowerData(part);
    return compact({ data: { data }, metadata });
  }
  const file = compact({
    fileWithBytes: part.raw,
    fileWithUri: part.url,
    mimeType: part.mediaType,
    name: part.filename,
  });
  return compact({ file, metadata: part.metadata });
}
