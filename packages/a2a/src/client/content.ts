import type { Part } from "../protocol/internal.js";

/** A file, as its bytes. */
export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType?: string;
  readonly filename?: string;
}

/** One piece of a message: text, a part of the protocol, or a file. */
export type ContentItem = string | Part | FileContent | Blob;

/** The content of a message: one piece or several. */
export type Content = ContentItem | readonly ContentItem[];

export async function partsOf(content: Content): Promise<readonly Part[]> {
  return Promise.all([content].flat().map(partOf));
}

async function partOf(item: ContentItem): Promise<Part> {
  if (typeof item === "string") return { text: item };
  if (item instanceof Blob) {
    const bytes = new Uint8Array(await item.arrayBuffer());
    return fileOf({
      bytes,
      ...(item.type !== "" && { mediaType: item.type }),
      ...("name" in item && typeof item.name === "string" && { filename: item.name }),
    });
  }
  return "bytes" in item ? fileOf(item) : item;
}

function fileOf({ bytes, ...members }: FileContent): Part {
  return { raw: base64Of(bytes), ...members };
}

/**
 * Bytes are encoded in pieces: a call cannot take millions of arguments. A multiple of three needs no
 * padding in between.
 */
const pieceLength = 3 * 8192;

function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += pieceLength) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + pieceLength))));
  }
  return pieces.join("");
}

export { textOf } from "../protocol/internal.js";
