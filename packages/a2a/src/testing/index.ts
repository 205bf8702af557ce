/**
 * What tests need: an agent tried out in the test's own process; the contracts of stores, buses and transports as
 * cases for any test runner; a model to compare stores with; a clock that tests move by hand.
 */

// Try an agent
export { tryAgent } from "./try-agent.js";
export type { Trial, TrialOptions, TrialReport } from "./try-agent.js";
export type { Said, SaidWith, Talk } from "./talk.js";

// Simulate a cluster
export { simulate } from "./simulation/simulate.js";
export type {
  SimulationFailure,
  SimulationFinding,
  SimulationOptions,
  SimulationProgress,
  SimulationReport,
} from "./simulation/simulate.js";
export type { SimulationWave } from "./simulation/seed-options.js";
export type { FaultName } from "./simulation/engine/faults.js";

// Check an implementation of a port

export { checkBus } from "./check-bus.js";
export { checkStore } from "./check-store.js";
export type { CheckStoreOptions } from "./check-store.js";
export { checkTransport } from "./check-transport.js";
export type { ContractCase } from "./contract-case.js";
export { compareWithModel } from "./compare-with-model.js";
export type { CompareOptions, StoreOperation } from "./compare-with-model.js";
export { createTestClock } from "./create-test-clock.js";
export type { TestClock } from "./create-test-clock.js";

// Check what a cluster did
export { checkHistory } from "./history/check-history.js";
export { digestTask, hashEvent } from "./history/digest.js";
export type {
  CallOutcome,
  CountedTasks,
  FinalConfig,
  FinalEntry,
  FinalState,
  FinalTask,
  History,
  HistoryCall,
  HistoryEffect,
  HistoryFault,
  HistoryStream,
  StreamedEvent,
  WebhookArrival,
} from "./history/history.js";
export { shortenHistory } from "./history/shorten-history.js";
export type { Invariant, Violation } from "./history/violation.js";
