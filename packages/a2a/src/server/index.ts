/**
 * The runtime: runs agents, keeps their tasks in a store, and answers as an `AgentService`. Runs belong
 * to the runtime and never to a connection; nothing here knows of sockets or of any wire.
 */
export { agent } from "./author/agent.js";
export type { Agent, AgentDefinition, Handler } from "./author/agent.js";
export { systemClock } from "../async/internal.js";
export type { Clock } from "../async/internal.js";
export type {
  ArtifactOutput,
  Content,
  FileContent,
  InputRequired,
  Outcome,
  Output,
  StatusOutput,
} from "./author/output.js";
export type { DeadLetter, PushOutbox } from "./push/push-outbox.js";
export type { PushNotification, PushOutcome, PushSender } from "./push/push-sender.js";
export { textOf } from "./author/run-context.js";
export type { RunContext } from "./author/run-context.js";
export type { Report } from "./run-environment.js";
export type { RunLimits } from "./run/run-slots.js";
export { openRuntime } from "./runtime.js";
export type { Runtime, RuntimeOptions } from "./runtime.js";
export { defaultSettings } from "./settings.js";
export type { RuntimeSettings } from "./settings.js";
