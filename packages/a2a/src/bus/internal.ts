/**
 * How nodes tell each other that a task's log has grown. A bus carries wake-ups, never events: nodes read events
 * from the log, so a bus may lose or delay wake-ups but can never show anything wrong.
 */
export type { Bus, BusSubscription, BusTopic } from "./bus.js";
export { createInProcessBus } from "./in-process-bus.js";
