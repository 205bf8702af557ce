import type { Part } from "../../protocol/index.js";
import { isCleanPart, members, parsePart } from "../../protocol/parse/index.js";
import type { Cursor } from "../../protocol/parse/index.js";
import { decodeFile } from "../file-content.js";
import { isObject } from "../is-object.js";

/** A part; one without any 1.0 content is also understood in the `file` form of earlier versions. */
export function decodePart(value: unknown, cursor: Cursor): Part {
  if (isCleanPart(value, cursor)) return value;
  if (!isFilePart(value)) return parsePart(value, cursor);
  const { file, ...rest } = members(value, cursor);
  return parsePart({ ...rest, ...cursor.enter("file", file, decodeFile) }, cursor);
}

function isFilePart(value: unknown): boolean {
  return (
    isObject(value) &&
    isObject(value["file"]) &&
    !("text" in value || "raw" in value || "url" in value || "data" in value)
  );
}
