import type { AgentCard } from "@parley/a2a";
import type { LogEntry, TaskRecord } from "@parley/a2a/store";
import type { Delivery } from "./delivery.js";
import type { Resumption } from "./feed.js";
import type { Hop } from "./hop.js";
import type { PushAttempt } from "./push-attempt.js";

/**
 * A line of a `.parley.jsonl` file. The first is the header. Everything is redacted, so that the file may be sent to
 * others.
 */
export type RecordingLine =
  | {
      readonly kind: "recording";
      readonly format: 1;
      /** The version of Parley that wrote it. */
      readonly version: string;
      readonly savedAt: number;
      readonly agent?: { readonly url: string; readonly card: AgentCard };
    }
  | { readonly kind: "hop"; readonly hop: Hop }
  | { readonly kind: "resumed"; readonly resumption: Resumption }
  | { readonly kind: "delivery"; readonly delivery: Delivery }
  | { readonly kind: "push"; readonly attempt: PushAttempt }
  | { readonly kind: "task"; readonly record: TaskRecord }
  | { readonly kind: "entry"; readonly taskId: string; readonly entry: LogEntry };
