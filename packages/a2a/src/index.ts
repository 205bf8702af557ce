/**
 * The first lines of every program: `agent` to write an agent, `connect` to call one, and the model that both speak.
 * Web APIs only. Importing it loads neither the runtime nor a server, and a client that bundles it stays small.
 */

// Write an agent
export { agent } from "./server/author/agent.js"; // the internal.js of server would load the runtime
export type {
  Agent,
  AgentDefinition,
  ExtendedCard,
  Handler,
  Outcome,
  Output,
  RunContext,
} from "./server/index.js";

// Call an agent
export { connect } from "./client/internal.js";
export type {
  AgentEvent,
  CallOptions,
  ConnectOptions,
  Content,
  RemoteAgent,
  SendOptions,
  TaskHandle,
  WatchOptions,
} from "./client/index.js";

// Messages and tasks
export { textOf, bytesOf, failureOf, progressOf } from "./protocol/internal.js";
export { isInterrupted, isTerminal, taskStates } from "./protocol/internal.js";
export type {
  Artifact,
  DataPart,
  JsonObject,
  JsonValue,
  Message,
  Part,
  RawPart,
  Role,
  StreamResponse,
  Task,
  TaskFailure,
  TaskArtifactUpdateEvent,
  TaskPushNotificationConfig,
  TaskState,
  TaskStatus,
  TaskStatusUpdateEvent,
  TextPart,
  UrlPart,
} from "./protocol/internal.js";

// Agent cards
export type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  OAuthFlows,
  SecurityRequirement,
  SecurityScheme,
} from "./protocol/internal.js";

// Errors
export { A2AError, isCanceled } from "./protocol/internal.js";
export { TaskNotCompleted } from "./client/internal.js";
export type { ErrorCode, ErrorDetails } from "./protocol/internal.js";

// The operations of the protocol
export { callOnce, callStream, createService, operations } from "./protocol/internal.js";
export type {
  AgentService,
  CallableService,
  CallContext,
  LargeAnswer,
  MountableAgent,
  ListTasksRequest,
  ListTasksResponse,
  Operation,
  Principal,
  ProtocolVersion,
  RequestOf,
  ResultOf,
  SendMessageRequest,
  SendMessageResponse,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "./protocol/internal.js";

// Telemetry
export { traced } from "./protocol/tracing/internal.js";
export type { TracedOptions } from "./protocol/tracing/internal.js";
export type {
  Attributes,
  AttributeValue,
  Instrument,
  Labels,
  Log,
  LogFields,
  LogLevel,
  Metrics,
  Span,
  SpanKind,
  SpanOptions,
  Telemetry,
  TraceContext,
  Tracer,
} from "./protocol/internal.js";

// Limits and extensions
export { credentialsExtension } from "./protocol/extensions/credentials.js";
export {
  credentialsUri,
  defaultLimits,
  statusDetailsUri,
  unknownValuesUri,
} from "./protocol/internal.js";
export type { Limits } from "./protocol/internal.js";
