import type { LogEvent } from "./log-event.js";

/**
 * How much of a task a push configuration hears: changes of its status; its artifacts too; or every chunk
 * of them. Each includes those before it.
 */
export const pushDetails = ["status", "artifacts", "chunks"] as const;

export type PushDetail = (typeof pushDetails)[number];

/**
 * The place in `pushDetails` from which on configurations hear of an event. Beyond the last for what
 * nobody hears of: messages, which the task's own caller sent, and how runs got where they are.
 */
export function pushRankOf(event: LogEvent): number {
  if (event.kind === "status-changed" || event.kind === "task-created") return 0;
  if (event.kind !== "artifact-updated") return pushDetails.length;
  return event.append === true && event.lastChunk !== true ? 2 : 1;
}
