/**
 * A store in memory, for tests, for development, and for agents whose tasks may be lost.
 */

export { createMemoryStore } from "./create-memory-store.js";
export type { MemoryStoreOptions } from "./create-memory-store.js";
export type { Store } from "../store.js";
