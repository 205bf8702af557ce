/**
 * The runtime: runs an agent, keeps its tasks in a store, and answers as an `AgentService`. Web APIs only;
 * `serve` of `@parley/a2a/node` opens one for you.
 */

// Write an agent
export { agent } from "./author/agent.js";
export type { Agent } from "./author/agent.js";
export type {
  AgentDefinition,
  ExtendedCard,
  ExtensionDefinition,
  Handler,
} from "./author/agent-definition.js";
export { withParams } from "./author/method.js";
export type { MethodContext, MethodHandler, StandardSchema } from "./author/method.js";
export type { Outcome, Output } from "./author/output.js";
export type { RunContext, Streamable } from "./author/run-context.js";
export type { Jsonable, StepAttempt, StepOptions } from "./author/step.js";

// Run it
export { openRuntime } from "./runtime.js";
export type { Runtime, RuntimeFigures } from "./runtime.js";
export type { RuntimeOptions } from "./runtime-options.js";
export type { Cryptography } from "./cryptography.js";
export type { RuntimeSettings } from "./settings.js";
export type { Clock } from "../async/internal.js";

// Send push notifications
export type { PushOutbox } from "./push/push-outbox.js";
export type { PushNotification, PushOutcome, PushSender } from "./push/push-sender.js";
