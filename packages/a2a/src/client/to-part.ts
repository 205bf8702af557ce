import type { Part } from "../protocol/internal.js";
import type { ContentItem, FileItem } from "./call-options.js";
import { refuseContent } from "./refuse-argument.js";

/** The part of a message for a file or for a part itself. Throws for what is neither. */
export async function toPart(item: Exclude<ContentItem, string>): Promise<Part> {
  if (item instanceof Blob) {
    const bytes = new Uint8Array(await item.arrayBuffer());
    return fileOf({
      bytes,
      ...(item.type !== "" && { mediaType: item.type }),
      ...("name" in item && typeof item.name === "string" && { filename: item.name }),
    });
  }
  if (Object(item) !== item || ArrayBuffer.isView(item)) throw refuseContent(item);
  return "bytes" in item ? fileOf(item) : item;
}

function fileOf({ bytes, ...members }: FileItem): Part {
  return { raw: base64Of(bytes), ...members };
}

function base64Of(bytes: Uint8Array): string {
  // Bytes are encoded in pieces: a call cannot take millions of arguments. A multiple of three needs no padding.
  const pieceLength = 3 * 8192;
  let text = "";
  for (let start = 0; start < bytes.length; start += pieceLength) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + pieceLength)));
  }
  return text;
}
