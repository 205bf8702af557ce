/**
 * The runtime: runs agents, keeps their tasks in a store, and answers as an `AgentService`. Runs belong
 * to the runtime and never to a connection; nothing here knows of sockets or of any wire.
 */

// Write an agent
export { agent } from "./author/agent.js";
export type { Agent, AgentDefinition, Handler } from "./author/agent.js";
export type { Outcome, Output } from "./author/output.js";
export type { RunContext } from "./author/run-context.js";

// Run it
export { openRuntime } from "./runtime.js";
export type { Runtime, RuntimeOptions } from "./runtime.js";
export type { RuntimeSettings } from "./settings.js";
export type { Clock } from "./clock.js";

// Send push notifications
export type { DeadLetter, PushOutbox } from "./push/push-outbox.js";
export type { PushNotification, PushOutcome, PushSender } from "./push/push-sender.js";
