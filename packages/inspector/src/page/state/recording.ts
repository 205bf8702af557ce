import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { LogEntry } from "@parley/a2a/store";
import type { Recording } from "../../model/index.js";

/** The recording that is shown in place of a backend; absent where there is one. */
export const recording: Signal<Recording | undefined> = signal(undefined);

export function recordedEntries(taskId: string): readonly LogEntry[] {
  return recording.peek()?.logs.get(taskId) ?? [];
}
