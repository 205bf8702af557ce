/**
 * What an implementation of a port has to hold, as cases for any test runner: the contracts of stores and
 * buses, statement by statement, and a model to compare stores with. Nothing here knows a test framework
 * or an engine.
 */
export { checkBus } from "./check-bus.js";
export type { CheckBusOptions } from "./check-bus.js";
export { checkStore } from "./check-store.js";
export type { CheckStoreOptions } from "./check-store.js";
export { compareWithModel } from "./compare-with-model.js";
export type {
  AppendOperation,
  ClaimOperation,
  StoreCall,
  StoreOperation,
} from "./compare-with-model.js";
export type { ContractCase, Skip } from "./contract-case.js";
