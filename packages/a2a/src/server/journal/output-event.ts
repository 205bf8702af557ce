import type { LogEvent } from "../../store/internal.js";

/** A status of the task. */
export type StatusEvent = Extract<LogEvent, { kind: "status-changed" }>;

/** A chunk of an artifact, or all of it. */
export type ArtifactEvent = Extract<LogEvent, { kind: "artifact-updated" }>;

/** What a handler tells. */
export type OutputEvent = StatusEvent | ArtifactEvent;
