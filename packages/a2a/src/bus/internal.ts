/**
 * How nodes tell each other that a task's log has grown. A bus carries wake-ups, never events: what
 * happened is read from the log, so a bus may be lossy and late but never wrong.
 */
export type { Bus } from "./bus.js";
export { createInProcessBus } from "./in-process-bus.js";
