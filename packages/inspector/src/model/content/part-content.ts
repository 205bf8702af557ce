import { bytesOf } from "@parley/a2a";
import type { Part } from "@parley/a2a";

const types: Readonly<Record<string, string>> = {
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  svg: "image/svg+xml",
  txt: "text/plain",
  wav: "audio/wav",
  mp3: "audio/mpeg",
};

/** The media type of a part without its parameters; by the ending of its name where it has none. */
export function mediaTypeOf(part: Part): string {
  const given = part.mediaType?.split(";", 1)[0]?.trim().toLowerCase();
  if (given !== undefined && given !== "") return given;
  const ending = part.filename?.split(".").at(-1)?.toLowerCase() ?? "";
  return types[ending] ?? (part.text === undefined ? "" : "text/plain");
}

/** Whether a part is text, in the message or as the bytes of a file. */
export function isText(part: Part): boolean {
  if (part.text !== undefined) return true;
  const type = mediaTypeOf(part);
  return (
    part.raw !== undefined &&
    (type.startsWith("text/") || /[/+](?:json|xml|xhtml\+xml)$/.test(type))
  );
}

/** The bytes of a text or of a file that is in the message; none of what is elsewhere. */
export function bytesOfPart(part: Part): Uint8Array<ArrayBuffer> {
  if (part.text !== undefined) return new TextEncoder().encode(part.text);
  if (part.raw === undefined) return new Uint8Array();
  try {
    return new Uint8Array(bytesOf(part));
  } catch {
    return new Uint8Array();
  }
}

/** How many bytes a part has, without decoding it. */
export function sizeOfPart(part: Part): number {
  if (part.raw !== undefined) return Math.floor((part.raw.replace(/=+$/, "").length * 3) / 4);
  if (part.text !== undefined) return part.text.length;
  return 0;
}

/** Bytes in lines of sixteen, with the characters that they would be. */
export function hexLines(bytes: Uint8Array): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row
      .map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "."))
      .join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines;
}
