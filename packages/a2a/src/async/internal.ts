/** Time and waiting, with no knowledge of A2A: what a language's own library would have. */
export { atTurnsEnd } from "./at-turns-end.js";
export { delay, delayAtMost, foregroundClock, systemClock } from "./clock.js";
export type { Clock } from "./clock.js";
export { createDeferred } from "./deferred.js";
export type { Deferred } from "./deferred.js";
export { Departure, onLeave } from "./departure.js";
export type { Leaving } from "./departure.js";
export { neverSettles } from "./never-settles.js";
export { nextTurn } from "./next-turn.js";
export { Roster } from "./roster.js";
export { StopSignal } from "./stop-signal.js";
export { Turns } from "./turns.js";
