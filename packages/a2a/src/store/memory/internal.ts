/**
 * Tasks in memory: nothing to install and nothing left behind. It holds the whole contract of a store but
 * durability, and must never learn anything that the ports do not say.
 */
export { createMemoryStore } from "./create-memory-store.js";
