import type { Artifact, JsonObject, JsonValue, Part } from "../../protocol/internal.js";

/** A file, as bytes or by its URL. */
export type FileContent =
  | { readonly bytes: Uint8Array; readonly mediaType?: string; readonly filename?: string }
  | { readonly url: string; readonly mediaType?: string; readonly filename?: string };

/** One piece of content: a part as the protocol has it, or a file with its bytes. */
export type ContentPart = Part | { readonly file: FileContent };

/** The content of a message or an artifact: text, one part, or several. */
export type Content = string | ContentPart | readonly (string | ContentPart)[];

/** A status update of a working task. `progress` is from 0 to 1. */
export interface StatusOutput {
  readonly status: Content;
  readonly progress?: number;
  readonly metadata?: JsonObject;
}

/**
 * An artifact. It is whole unless `append` or `lastChunk` is given: a streamed artifact begins with `append: false`
 * and goes on with `append: true`. One that does not append replaces the artifact with the same id.
 */
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

/** What a handler yields. A string or a part is the next chunk of the answer. */
export type Output = string | ContentPart | StatusOutput | ArtifactOutput;

/** Ends a run with a question. The next message starts another run. */
export interface InputRequired {
  readonly inputRequired: Content;
}

/** Completes the task with these words on its status. The run has a task then, even if it told nothing else. */
export interface Completed {
  readonly completed: Content;
}

/** What a handler returns. A handler that yielded its results returns nothing. */
export type Outcome = Content | InputRequired | Completed | void;

export function partsOf(content: Content): readonly Part[] {
  if (typeof content === "string") return [{ text: content }];
  return isList(content) ? content.map(partOf) : [partOf(content)];
}

export function isInputRequired(outcome: Outcome): outcome is InputRequired {
  return typeof outcome === "object" && "inputRequired" in outcome;
}

export function isCompleted(outcome: Outcome): outcome is Completed {
  return typeof outcome === "object" && "completed" in outcome;
}

export function isStatus(output: Output): output is StatusOutput {
  return typeof output === "object" && "status" in output;
}

export function isArtifact(output: Output): output is ArtifactOutput {
  return typeof output === "object" && "artifact" in output;
}

function partOf(item: string | ContentPart): Part {
  if (typeof item === "string") return { text: item };
  return "file" in item ? filePart(item.file) : item;
}

function isList(
  content: ContentPart | readonly (string | ContentPart)[],
): content is readonly (string | ContentPart)[] {
  return Array.isArray(content);
}

/** The artifact of an output, with its content in whichever form it was given. */
export function artifactOf(output: ArtifactOutput): Artifact {
  const { artifact: artifactId, name, description, extensions, metadata } = output;
  return {
    artifactId,
    parts: artifactParts(output),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(extensions !== undefined && { extensions }),
    ...(metadata !== undefined && { metadata }),
  };
}

function artifactParts(output: ArtifactOutput): readonly Part[] {
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
