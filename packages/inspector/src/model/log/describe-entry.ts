import type { JsonObject, Message, Part } from "@parley/a2a";
import type { LogEntry, LogEvent } from "@parley/a2a/store";
import { sizeOf } from "./size-of.js";
import { nameOfState, toneOfState } from "./states.js";
import type { Tone } from "./states.js";

/** What a row of a timeline is about. The first four are what callers see; the others are the agent's own journal. */
export type EntryKind =
  "created" | "message" | "status" | "artifact" | "run" | "step" | "question" | "taken" | "cancel";

/** What a row shows of an entry. */
export interface EntryText {
  readonly kind: EntryKind;
  readonly tone: Tone;
  readonly title: string;
  readonly detail: string;
}

const kinds = {
  "task-created": "created",
  "message-added": "message",
  "status-changed": "status",
  "artifact-updated": "artifact",
  "run-started": "run",
  "run-resumed": "run",
  "step-recorded": "step",
  "stream-recorded": "step",
  "question-asked": "question",
  "question-closed": "question",
  "message-taken": "taken",
  "cancel-requested": "cancel",
} as const satisfies Record<LogEvent["kind"], EntryKind>;

export function kindOf(event: LogEvent): EntryKind {
  return kinds[event.kind] ?? "status";
}

/** Whether only the agent's own side ever sees the entry. */
export function isPrivate(event: LogEvent): boolean {
  return !publicKinds.has(event.kind);
}

const publicKinds: ReadonlySet<LogEvent["kind"]> = new Set([
  "task-created",
  "message-added",
  "status-changed",
  "artifact-updated",
]);

/** About how many bytes an entry takes. */
export function entrySize({ event }: LogEntry): number {
  return sizeOf(event);
}

export function describeEntry({ event }: LogEntry): EntryText {
  const kind = kindOf(event);
  switch (event.kind) {
    case "task-created":
      return { kind, tone: "neutral", title: "Created", detail: `context ${event.contextId}` };
    case "message-added": {
      const by = event.message.role === "ROLE_USER" ? "from the caller" : "from the agent";
      return { kind, tone: "neutral", title: quoted(event.message), detail: by };
    }
    case "status-changed": {
      const { state, message } = event.status;
      return {
        kind,
        tone: toneOfState(state),
        title: nameOfState(state),
        detail: message === undefined ? "" : glance(message.parts),
      };
    }
    case "artifact-updated": {
      const { artifact, append } = event;
      const title = artifact.name ?? artifact.artifactId;
      const verb = append === true ? "+ " : "";
      return { kind, tone: "artifact", title, detail: verb + glance(artifact.parts) };
    }
    case "run-started":
      return { kind, tone: "neutral", title: `Run ${event.run}`, detail: "began" };
    case "run-resumed":
      return {
        kind,
        tone: "neutral",
        title: `Run ${event.run}`,
        detail: `taken up, attempt ${event.attempt}${event.revision === "" ? "" : `, revision ${event.revision}`}`,
      };
    case "step-recorded":
      return {
        kind,
        tone: "neutral",
        title: event.name,
        detail: event.result === undefined ? "returned nothing" : glanceAt(event.result),
      };
    case "stream-recorded":
      return {
        kind,
        tone: "neutral",
        title: event.name,
        detail: `stream ended, characters ${event.from} to ${event.to}`,
      };
    case "question-asked":
      return { kind, tone: "waiting", title: "Asked", detail: event.name ?? "" };
    case "question-closed":
      return { kind, tone: "waiting", title: "Went on", detail: "without an answer" };
    case "message-taken":
      return { kind, tone: "neutral", title: "Message taken", detail: event.messageId };
    case "cancel-requested":
      return { kind, tone: "failed", title: "Cancel asked", detail: "by a caller" };
  }
}

const glanceLength = 160;

/** The first words of parts, on one line. */
export function glance(parts: readonly Part[]): string {
  const [first] = parts;
  if (first === undefined) return "";
  const more = parts.length > 1 ? ` and ${parts.length - 1} more` : "";
  return glanceAtPart(first) + more;
}

function glanceAtPart(part: Part): string {
  if (part.text !== undefined) return oneLine(part.text);
  if (part.data !== undefined) return glanceAt(part.data);
  const name = part.filename ?? part.url ?? "file";
  return part.mediaType === undefined ? name : `${name}, ${part.mediaType}`;
}

function glanceAt(value: unknown): string {
  if (typeof value === "string") return oneLine(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) return `list of ${value.length}`;
  const names = Object.keys(value as JsonObject);
  const shown = names.slice(0, 4).join(", ");
  return `{ ${shown}${names.length > 4 ? ", …" : ""} }`;
}

function quoted({ parts }: Message): string {
  const text = glance(parts);
  return text === "" ? "Message" : `“${text}”`;
}

function oneLine(text: string): string {
  const line = text.slice(0, glanceLength * 2).replaceAll(/\s+/gu, " ");
  return line.length > glanceLength ? `${line.slice(0, glanceLength)}…` : line;
}
