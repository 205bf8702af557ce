import type { Artifact } from "../artifact.js";
import type { Part } from "../part.js";

/** An artifact that chunks are appended to. Its parts are its own. */
export type GrowingArtifact = Omit<Artifact, "parts"> & { readonly parts: Part[] };

/** A copy of an artifact that can grow. */
export function growingFrom(artifact: Artifact): GrowingArtifact {
  return { ...artifact, parts: [...artifact.parts] };
}

/**
 * Appends a chunk and returns the artifact, which has the same parts, with what the chunk says about it besides. The
 * cost depends on the size of the chunk, not of the artifact.
 */
export function appendChunk(artifact: GrowingArtifact, chunk: Artifact): GrowingArtifact {
  const { parts } = artifact;
  // An update that only says that the artifact is complete carries an empty text, since it must have a part.
  for (const part of chunk.parts) if (part.text !== "") parts.push(part);
  if (isOnlyParts(chunk)) return artifact;
  const { extensions, metadata } = artifact;
  return {
    ...artifact,
    ...chunk,
    ...(extensions &&
      chunk.extensions && { extensions: [...new Set([...extensions, ...chunk.extensions])] }),
    ...(metadata && { metadata: { ...metadata, ...chunk.metadata } }),
    parts,
  };
}

/** True for a chunk that adds parts and nothing else, as most chunks do. */
export function isOnlyParts({ name, description, extensions, metadata }: Artifact): boolean {
  return (name ?? description ?? extensions ?? metadata) === undefined;
}
