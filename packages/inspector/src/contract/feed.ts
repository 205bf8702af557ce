import type { TaskState } from "@parley/a2a";
import type { Frame, HopSummary } from "./hop.js";
import type { Delivery } from "./delivery.js";
import type { PushAttempt } from "./push-attempt.js";

/** A stream that lost its connection and went on, and whether anything was lost. */
export interface Resumption {
  /** Told twice: when the stream goes on, and, by the same id, once the losses are counted. */
  readonly id: number;
  readonly connection: string;
  readonly taskId: string;
  readonly at: number;
  readonly attempt: number;
  /** As the client reports it. */
  readonly by: "sequence" | "comparison" | "polling";
  readonly reason?: string;
  /** The last event before the cut. */
  readonly after?: number;
  /** Events that never came, and events that came twice, by their numbers; unknown where the agent numbers none. */
  readonly lost?: number;
  readonly repeated?: number;
}

/**
 * What happens, in order, on the one stream that the page follows: `GET /api/events?after=`. Numbers rise, and those of a
 * backend that was started again are higher than all before. Without `after` the stream begins with what comes next. A
 * hop comes when it begins, when its answer begins and when it has ended, each time as a whole.
 */
export type FeedItem = { readonly number: number; readonly at: number } & (
  | { readonly kind: "hop"; readonly hop: HopSummary }
  | { readonly kind: "frames"; readonly hop: number; readonly frames: readonly Frame[] }
  | { readonly kind: "resumed"; readonly resumption: Resumption }
  | { readonly kind: "delivery"; readonly delivery: Delivery }
  /** Beside a server: an attempt to send a notification has begun, or, by the same id, has ended. */
  | { readonly kind: "push"; readonly attempt: PushAttempt }
  /** Store mode: a task of the store has changed. */
  | {
      readonly kind: "task";
      readonly taskId: string;
      readonly state: TaskState;
      readonly sequence: number;
    }
  /** The feed no longer holds what came after the number that was asked for: read everything anew. */
  | { readonly kind: "gap" }
);
