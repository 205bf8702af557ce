/** Time and waiting, with no knowledge of A2A: what a language's standard library would have. */
export { batchesOf, fromBatches } from "./batches.js";
export type { Batches } from "./batches.js";
export {
  delay,
  delayAtMost,
  foregroundClock,
  keepAlive,
  longestPauseMs,
  systemClock,
} from "./clock.js";
export type { Clock } from "./clock.js";
export { createDeferred } from "./deferred.js";
export type { Deferred } from "./deferred.js";
export { afterMicrotasks, atTurnsEnd, byTurn, nextTurn, ownTurn } from "./event-loop.js";
export { forEachAtMost } from "./for-each-at-most.js";
export { createHealthCheck } from "./health-check.js";
export { Heap } from "./heap.js";
export { KeyedLock } from "./keyed-lock.js";
export { LazyStream, sourceOf } from "./lazy-stream.js";
export type { Reader, StreamSource } from "./lazy-stream.js";
export { neverSettles } from "./never-settles.js";
export { Roster } from "./roster.js";
export { LightSignal, onAbort } from "./signal.js";
export type { AnySignal } from "./signal.js";
