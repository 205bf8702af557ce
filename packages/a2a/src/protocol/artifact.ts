import type { JsonObject } from "./json.js";
import type { Part } from "./part.js";

/** Something a task produced (§4.1.7). `artifactId` is unique within its task. */
export interface Artifact {
  readonly artifactId: string;
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly description?: string;
  readonly extensions?: readonly string[];
  readonly metadata?: JsonObject;
}
