import type { Part } from "../../protocol/internal.js";
import { isJsonObject, members, parseAnyPart } from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import { decodeFile } from "../members/file-content.js";

/** Decodes a part. One without content of 1.0 may have the `file` of earlier versions. */
export function decodePart(value: unknown, cursor: Cursor): Part {
  if (!isFilePart(value)) return parseAnyPart(value, cursor);
  const { file, ...rest } = members(value, cursor);
  return parseAnyPart({ ...rest, ...cursor.enter("file", file, decodeFile) }, cursor);
}

function isFilePart(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    isJsonObject(value["file"]) &&
    !("text" in value || "raw" in value || "url" in value || "data" in value)
  );
}
