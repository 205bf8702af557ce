import type { JsonObject, JsonValue, Part } from "../../protocol/internal.js";

/** The content of a message or an artifact: text, one part, or several. */
export type Content = string | Part | readonly (string | Part)[];

/** A status update of a working task. `progress` is from 0 to 1. */
export interface StatusOutput {
  readonly status: Content;
  readonly progress?: number;
  readonly metadata?: JsonObject;
}

/** An artifact. It replaces the artifact with the same id, or with `append` continues it. */
export type ArtifactOutput = {
  readonly artifact: string;
  readonly name?: string;
  readonly description?: string;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
  readonly extensions?: readonly string[];
  readonly metadata?: JsonObject;
} & (
  | { readonly text: string }
  | { readonly data: JsonValue; readonly mediaType?: string }
  | { readonly file: FileContent }
  | { readonly parts: Content }
);

/** A file, as bytes or by its URL. */
export type FileContent =
  | { readonly bytes: Uint8Array; readonly mediaType?: string; readonly filename?: string }
  | { readonly url: string; readonly mediaType?: string; readonly filename?: string };

/** What a handler yields. A string is the next chunk of the answer. */
export type Output = string | StatusOutput | ArtifactOutput;

/** Ends a run with a question. The next message starts another run. */
export interface InputRequired {
  readonly inputRequired: Content;
}

/** What a handler returns. A handler that yielded its results returns nothing. */
export type Outcome = Content | InputRequired | void;

export function partsOf(content: Content): readonly Part[] {
  if (typeof content === "string") return [{ text: content }];
  return isList(content) ? content.map(partOf) : [content];
}

export function isInputRequired(outcome: Outcome): outcome is InputRequired {
  return typeof outcome === "object" && "inputRequired" in outcome;
}

function partOf(item: string | Part): Part {
  return typeof item === "string" ? { text: item } : item;
}

function isList(content: Part | readonly (string | Part)[]): content is readonly (string | Part)[] {
  return Array.isArray(content);
}

/** The parts of an artifact output, in whichever form they were given. */
export function artifactParts(output: ArtifactOutput): readonly Part[] {
  if ("text" in output) return [{ text: output.text }];
  if ("parts" in output) return partsOf(output.parts);
  if ("file" in output) return [filePart(output.file)];
  const { data, mediaType } = output;
  return [{ data, ...(mediaType !== undefined && { mediaType }) }];
}

function filePart(file: FileContent): Part {
  const described = {
    ...(file.mediaType !== undefined && { mediaType: file.mediaType }),
    ...(file.filename !== undefined && { filename: file.filename }),
  };
  if ("url" in file) return { url: file.url, ...described };
  return { raw: toBase64(file.bytes), ...described };
}

const chunkSize = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += chunkSize) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkSize));
  }
  return btoa(binary);
}
