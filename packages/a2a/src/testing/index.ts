/**
 * What an implementation of a port has to hold, as cases for any test runner: the contracts of stores,
 * buses and transports, statement by statement, and a model to compare stores with. Nothing here knows a
 * test framework, an engine or a socket.
 */
export { checkBus } from "./check-bus.js";
export { checkStore } from "./check-store.js";
export { checkTransport } from "./check-transport.js";
export type { ContractCase } from "./contract-case.js";
export { compareWithModel } from "./compare-with-model.js";
export type { StoreOperation } from "./compare-with-model.js";
export { createTestClock } from "./create-test-clock.js";
export type { TestClock } from "./create-test-clock.js";
