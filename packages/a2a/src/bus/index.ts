/**
 * How nodes tell each other that a task's log has grown. A bus carries wake-ups, never events: watchers read
 * what happened from the log, so a bus may lose or delay a wake-up without harm.
 */

export type { Bus, BusSubscription, BusTopic } from "./bus.js";
export { createInProcessBus } from "./in-process-bus.js";
