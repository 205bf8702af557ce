/**
 * The store in memory, with nothing to install and nothing left behind. It fulfils the whole contract of a store
 * except durability, and must not offer anything that the ports do not declare.
 */
export { createMemoryStore } from "./create-memory-store.js";
