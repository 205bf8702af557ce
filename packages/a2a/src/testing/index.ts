/**
 * The contracts of stores, buses and transports as cases for any test runner, and a model to compare stores with.
 * Nothing here knows a test framework, an engine or a socket.
 */
export { checkBus } from "./check-bus.js";
export type { CheckBusOptions } from "./check-bus.js";
export { checkStore } from "./check-store.js";
export type { CheckStoreOptions } from "./check-store.js";
export { checkTransport } from "./check-transport.js";
export type { CheckTransportOptions, ConnectedTransport, ServedAgent } from "./check-transport.js";
export { compareWithModel } from "./compare-with-model.js";
export type {
  AppendOperation,
  ClaimOperation,
  StoreCall,
  StoreOperation,
} from "./compare-with-model.js";
export type { ContractCase, Skip } from "./contract-case.js";
export { createTestClock } from "./create-test-clock.js";
export type { TestClock } from "./create-test-clock.js";
