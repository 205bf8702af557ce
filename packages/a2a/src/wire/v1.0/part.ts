import type { Part } from "../../protocol/internal.js";
import { isJsonObject, parseAnyPart } from "../../protocol/parse/internal.js";
import type { Cursor, Members } from "../../protocol/parse/internal.js";
import { decodeFile } from "../members/file-content.js";

/**
 * Decodes a part. One without content of 1.0 may have the `file` of earlier versions. A peer that writes `null` for each
 * content that a part does not have may write it for data too, of which `null` is a value in a part with nothing else.
 */
export function decodePart(value: unknown, cursor: Cursor): Part {
  if (!isJsonObject(value)) return parseAnyPart(value, cursor);
  const { file, ...rest } = value;
  if (isJsonObject(file) && !hasContent(value) && !("data" in value)) {
    return parseAnyPart({ ...rest, ...cursor.enter("file", file, decodeFile) }, cursor);
  }
  const isNullData = cursor.isPeer && value["data"] === null && hasContent(value);
  return parseAnyPart(isNullData ? { ...value, data: undefined } : value, cursor);
}

function hasContent({ text, raw, url }: Members): boolean {
  return (text ?? raw ?? url ?? null) !== null;
}
