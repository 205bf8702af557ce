import type { LogEvent } from "./log-event.js";

/**
 * Which events a push configuration receives: changes of status; artifacts too; or every chunk of artifacts too.
 * Each level includes the ones before it.
 */
export const pushDetails = ["status", "artifacts", "chunks"] as const;

export type PushDetail = (typeof pushDetails)[number];

/**
 * The index of the first level in `pushDetails` that includes an event. Beyond the last for events that no
 * configuration receives: messages, which the caller itself sent, and the journal of runs.
 */
export function pushRankOf(event: LogEvent): number {
  if (event.kind === "status-changed" || event.kind === "task-created") return 0;
  if (event.kind !== "artifact-updated") return pushDetails.length;
  return event.append === true && event.lastChunk !== true ? 2 : 1;
}
