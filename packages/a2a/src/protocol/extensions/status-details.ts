import type { JsonObject } from "../json.js";

/**
 * The extension that carries the progress and the structured error of a status: `{ progress, error }` in
 * the metadata of a status update and of its task. Versions before 1.0 have both as members of the status.
 */
export const statusDetailsUri = "urn:parley:a2a:status-details:v1";

/** The progress that the metadata of a status update or of a task carries, if it is a number. */
export function progressOf(metadata: JsonObject | undefined): number | undefined {
  const details = metadata?.[statusDetailsUri] as
    { readonly progress?: unknown } | null | undefined;
  const progress = details?.progress;
  return typeof progress === "number" ? progress : undefined;
}
