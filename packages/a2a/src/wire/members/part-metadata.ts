import type { DataPart, JsonObject, JsonValue, TextPart } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";

/** SDKs set it on data that they wrapped in an object, for versions whose data is always an object. */
const wrappedMark = "data_part_compat";

interface Described {
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}

/**
 * Moves the media type and name of a text or data part into its metadata: versions before 1.0 have them
 * for files only. The media type of plain text is dropped.
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

/** The reverse of `lowerDescription`. */
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

/** The value and metadata of a data part for versions whose data is always an object. */
export function lowerData(part: DataPart): {
  readonly data: JsonObject;
  readonly metadata: JsonObject | undefined;
} {
  const metadata = lowerDescription(part);
  if (isJsonObject(part.data)) return { data: part.data, metadata };
  return { data: { value: part.data }, metadata: { ...metadata, [wrappedMark]: true } };
}

/** The reverse of `lowerData`. */
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

/** Objects are never wrapped, so an object inside means that the mark is there by chance. */
function isWrapper(data: JsonValue): data is { readonly value: JsonValue } {
  return isJsonObject(data) && Object.keys(data).join() === "value" && !isJsonObject(data["value"]);
}
