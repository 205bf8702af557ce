import type { Part } from "../../protocol/internal.js";
import { base64, members, string, url } from "../../protocol/parse/internal.js";
import type { Cursor, Members } from "../../protocol/parse/internal.js";
import { hasMember } from "./named-member.js";

/** The members of a part that come from its `file` object. */
export type FileMembers =
  | { readonly raw: string; readonly mediaType?: string; readonly filename?: string }
  | { readonly url: string; readonly mediaType?: string; readonly filename?: string }
  | { readonly data: { readonly file: { readonly name?: string; readonly mimeType?: string } } };

const bytesNames = ["bytes", "fileWithBytes", "file_with_bytes", "data"] as const;
const linkNames = ["uri", "fileWithUri", "file_with_uri", "url"] as const;

/**
 * Decodes the `file` object of any version before 1.0, under every name that its members have had. A
 * file without bytes and link is a mere reference, which only 0.1 allows: it becomes data.
 */
export function decodeFile(value: unknown, cursor: Cursor, allowReference = false): FileMembers {
  const file = members(value, cursor);
  const bytesName = bytesNames.find((name) => hasMember(file, name));
  const linkName = linkNames.find((name) => hasMember(file, name));
  const mediaType = firstString(file, ["mimeType", "mime_type", "mediaType"], cursor);
  const filename = firstString(file, ["name", "filename"], cursor);
  const described = {
    ...(mediaType !== undefined && { mediaType }),
    ...(filename !== undefined && { filename }),
  };
  if (bytesName !== undefined && linkName !== undefined) {
    cursor.fail("exactly one of bytes, uri is required, got both");
  }
  if (bytesName !== undefined) {
    return { raw: cursor.enter(bytesName, file[bytesName], base64), ...described };
  }
  if (linkName !== undefined) {
    return { url: cursor.enter(linkName, file[linkName], url), ...described };
  }
  if (!allowReference) cursor.fail("exactly one of bytes, uri is required, got 0");
  return {
    data: {
      file: {
        ...(filename !== undefined && { name: filename }),
        ...(mediaType !== undefined && { mimeType: mediaType }),
      },
    },
  };
}

/** Encodes the `file` object of the JSON-schema versions. */
export function encodeFile(part: Part & ({ raw: string } | { url: string })): {
  readonly bytes?: string;
  readonly uri?: string;
  readonly mimeType?: string;
  readonly name?: string;
} {
  return {
    ...(part.raw !== undefined ? { bytes: part.raw } : { uri: part.url }),
    ...(part.mediaType !== undefined && { mimeType: part.mediaType }),
    ...(part.filename !== undefined && { name: part.filename }),
  };
}

function firstString(
  source: Members,
  names: readonly string[],
  cursor: Cursor,
): string | undefined {
  const name = names.find((candidate) => (source[candidate] ?? "") !== "");
  return name === undefined ? undefined : cursor.enter(name, source[name], string);
}
