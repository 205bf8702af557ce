import type { LogEvent } from "../../store/internal.js";

/** What a run does not know of its log by itself, or knows for certain only when it is there. */
const news: ReadonlySet<LogEvent["kind"]> = new Set([
  "message-added",
  "cancel-requested",
  "question-asked",
  "question-closed",
  "run-resumed",
]);

export function isNews({ kind }: LogEvent): boolean {
  return news.has(kind);
}
