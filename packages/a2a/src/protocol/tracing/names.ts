/**
 * The names of all that traces and metrics show. Those that begin with `a2a` and `gen_ai` are of the conventions for A2A, which are
 * still being developed (open-telemetry/semantic-conventions-genai, 195); `http`, `url`, `db`, `error` and `server` are
 * stable; `parley` are our own.
 */
export const attribute = {
  method: "a2a.method.name",
  version: "a2a.protocol.version",
  tenant: "a2a.tenant",
  taskId: "a2a.task.id",
  taskState: "a2a.task.state",
  messageId: "a2a.message.id",
  references: "a2a.message.reference_task_ids",
  conversation: "gen_ai.conversation.id",
  agentName: "gen_ai.agent.name",
  agentVersion: "gen_ai.agent.version",
  agentDescription: "gen_ai.agent.description",
  errorType: "error.type",
  serverAddress: "server.address",
  serverPort: "server.port",
  httpMethod: "http.request.method",
  httpStatus: "http.response.status_code",
  urlPath: "url.path",
  dbSystem: "db.system.name",
  dbOperation: "db.operation.name",
  dbBatchSize: "db.operation.batch.size",
  runNumber: "parley.run.number",
  runReason: "parley.run.reason",
  runAttempt: "parley.run.attempt",
  nodeSlot: "parley.node.slot",
  events: "parley.events",
  stepName: "parley.step.name",
  stepAttempts: "parley.step.attempts",
  pushAttempt: "parley.push.attempt",
  pushQueued: "parley.push.queued",
  reconnectBy: "parley.reconnect.by",
  binding: "a2a.protocol.binding",
  outcome: "parley.outcome",
  reason: "parley.reason",
  store: "parley.store",
  bus: "parley.bus",
  connection: "db.client.connection.state",
  level: "log.level",
} as const;

/** Spans. */
export const spanName = {
  run: (agent: string) => `run ${agent}`,
  step: (step: string) => `step ${step}`,
  append: "append",
  push: "push",
  pushAttempt: "push POST",
} as const;

/** Things that happen within a span. */
export const spanEvent = {
  /** The first event of a stream, or the first output of a run. */
  first: "parley.first_event",
  ask: "ask",
  retry: "retry",
  reconnect: "reconnect",
} as const;
