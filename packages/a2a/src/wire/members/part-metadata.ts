import type { DataPart, JsonObject, JsonValue, TextPart } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";

/** Set by SDKs where a value that is no object was wrapped to fit versions that allow objects only. */
const wrappedMark = "data_part_compat";

interface Described {
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}

/**
 * Versions before 1.0 know the media type and name of files only. Those of text and data are kept in
 * the part's metadata; plain text needs none.
 */
export function lowerDescription(part: TextPart | DataPart): JsonObject | undefined {
  const { mediaType, filename, metadata } = part;
  const isPlain = part.text !== undefined && mediaType === "text/plain";
  if ((mediaType === undefined || isPlain) && filename === undefined) return metadata;
  return {
    ...metadata,
    ...(mediaType !== undefined && !isPlain && { mimeType: mediaType }),
    ...(filename !== undefined && { filename }),
  };
}

export function liftDescription(metadata: JsonObject | undefined): Described {
  if (metadata === undefined) return {};
  const { mimeType, filename, ...rest } = metadata;
  const hasType = typeof mimeType === "string" && mimeType !== "";
  const hasName = typeof filename === "string" && filename !== "";
  if (!hasType && !hasName) return { metadata };
  const remaining = {
    ...rest,
    ...(!hasType && mimeType !== undefined && { mimeType }),
    ...(!hasName && filename !== undefined && { filename }),
  };
  return {
    ...(hasType && { mediaType: mimeType }),
    ...(hasName && { filename }),
    ...(Object.keys(remaining).length > 0 && { metadata: remaining }),
  };
}

/** A data part's value and metadata for versions whose data is always an object. */
export function lowerData(part: DataPart): {
  readonly data: JsonObject;
  readonly metadata: JsonObject | undefined;
} {
  const metadata = lowerDescription(part);
  if (isJsonObject(part.data)) return { data: part.data, metadata };
  return { data: { value: part.data }, metadata: { ...metadata, [wrappedMark]: true } };
}

export function liftData(
  data: JsonValue,
  metadata: JsonObject | undefined,
): { readonly data: JsonValue; readonly metadata: JsonObject | undefined } {
  if (metadata?.[wrappedMark] !== true || !isWrapper(data)) return { data, metadata };
  const { [wrappedMark]: _, ...rest } = metadata;
  return {
    data: data.value,
    metadata: Object.keys(rest).length > 0 ? rest : undefined,
  };
}

/** Only what is no object is ever wrapped; anything else bears the mark by chance. */
function isWrapper(data: JsonValue): data is { readonly value: JsonValue } {
  return isJsonObject(data) && Object.keys(data).join() === "value" && !isJsonObject(data["value"]);
}
