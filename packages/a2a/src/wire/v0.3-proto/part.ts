import type { JsonObject, Part } from "../../protocol/internal.js";
import {
  isJsonObject,
  jsonObject,
  members,
  object,
  required,
  string,
} from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { decodeFile } from "../members/file-content.js";
import { contentName, decodeMetadata } from "../members/keyed-part.js";
import { memberNamed } from "../members/named-member.js";
import {
  liftData,
  liftDescription,
  lowerData,
  lowerDescription,
} from "../members/part-metadata.js";
import { readTextFile } from "../members/text-files.js";

const decodeDataPart = object<{ readonly data: JsonObject }>({ data: required(jsonObject) });

/** Decodes a part by the one content member it has. Its data is nested one level deeper. */
export function decodePart(value: unknown, cursor: Cursor): Part {
  const source = members(value, cursor);
  const name = contentName(source, cursor);
  const content = source[name];
  const metadata = decodeMetadata(source, cursor);
  switch (name) {
    case "text":
      return { text: cursor.enter(name, content, string), ...liftDescription(metadata) };
    case "file": {
      const file = cursor.enter(name, content, decodeFile);
      const isText = cursor.hasTextFiles && "raw" in file && isProtoFile(content);
      const read = isText ? { ...file, raw: readTextFile(file.raw) } : file;
      return { ...read, ...(metadata !== undefined && { metadata }) };
    }
    case "data": {
      const { data } = cursor.enter(name, content, decodeDataPart);
      const lifted = liftData(data, metadata);
      return { data: lifted.data, ...liftDescription(lifted.metadata) };
    }
  }
}

/** The other body form of 0.3 calls the bytes `bytes`, and nobody gets those wrong. */
function isProtoFile(file: unknown): boolean {
  return isJsonObject(file) && memberNamed(file, "fileWithBytes") !== null;
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
