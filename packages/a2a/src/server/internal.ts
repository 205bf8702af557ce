/**
 * The runtime: runs agents, keeps their tasks in a store, and answers as an `AgentService`. Runs belong
 * to the runtime and never to a connection; nothing here knows of sockets or of any wire.
 */
export { agent } from "./author/agent.js";
export { agentProblem } from "./author/check-agent.js";
export type { Agent } from "./author/agent.js";
export type { Cryptography } from "./cryptography.js";
export type { MethodHandler } from "./author/method.js";
export type { Outcome, Output } from "./author/output.js";
export type { PushOutbox } from "./push/push-outbox.js";
export type { PushNotification, PushOutcome, PushSender } from "./push/push-sender.js";
export { textOf } from "./author/run-context.js";
export type { RunContext } from "./author/run-context.js";
export { openRuntime } from "./runtime.js";
export { reportTo } from "./create-report.js";
export { runtimeRules } from "./runtime-rules.js";
export type { Runtime, RuntimeFigures } from "./runtime.js";
export type { RuntimeOptions } from "./runtime-options.js";
