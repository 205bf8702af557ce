import type { Deferred } from "../../async/internal.js";
import type { Head } from "../../store/internal.js";

/** Somebody who waits until the replica has what other nodes have written. */
export interface Follower extends Deferred<void> {
  /** How far; absent: as far as the log goes. */
  readonly upTo: Reach | undefined;
  /** Why somebody looks. Absent: because it has to know. */
  readonly cause?: "wake" | "poll" | undefined;
}

/** How far a log goes at least, and under which epoch. */
export type Reach = Pick<Head, "sequence" | "epoch">;

/** How far all of them want to read; `undefined` when one of them wants to read all. */
export function furthest(followers: readonly Follower[]): Reach | undefined {
  let furthest: Reach | undefined;
  for (const { upTo } of followers) {
    if (upTo === undefined) return undefined;
    if (furthest === undefined || upTo.sequence > furthest.sequence) furthest = upTo;
  }
  return furthest;
}
