/**
 * What A2A means: the 1.0 data model in its JSON form, the task state machine and the fold of a task's
 * log, the one error class, and `AgentService`. No transport, no storage, no input or output; nothing
 * in this folder imports from outside it.
 */
export type { JsonObject, JsonValue } from "./json.js";
export type { DataPart, Part, RawPart, TextPart, UrlPart } from "./part.js";
export type { Message, Role } from "./message.js";
export type { Artifact } from "./artifact.js";
export { bytesOf } from "./content/bytes-of.js";
export { appendChunk, growingFrom, isOnlyParts } from "./content/growing-artifact.js";
export type { GrowingArtifact } from "./content/growing-artifact.js";
export { textOf } from "./content/text-of.js";
export { canceledError, isCanceled } from "./is-canceled.js";
export { describeState, isInterrupted, isSettled, isTerminal, taskStates } from "./task-state.js";
export type { TaskState } from "./task-state.js";
export type { Task, TaskStatus } from "./task.js";
export { endsStream } from "./stream-response.js";
export type {
  StreamResponse,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "./stream-response.js";
export type { AuthenticationInfo, TaskPushNotificationConfig } from "./push-notification.js";
export { describeRequirements } from "./security-scheme.js";
export type {
  APIKeySecurityScheme,
  AuthorizationCodeOAuthFlow,
  ClientCredentialsOAuthFlow,
  DeviceCodeOAuthFlow,
  ImplicitOAuthFlow,
  OAuthFlows,
  OAuthFlowsByName,
  PasswordOAuthFlow,
  SecurityRequirement,
  SecurityScheme,
  StringList,
} from "./security-scheme.js";
export type {
  AgentCapabilities,
  AgentCard,
  AgentCardSignature,
  AgentExtension,
  AgentInterface,
  AgentProvider,
  AgentSkill,
} from "./agent-card.js";
export { isStreaming, operations } from "./operations.js";
export type {
  CallMethodRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Operation,
  ProtocolOperation,
  RequestOf,
  ResultOf,
  SendMessageConfiguration,
  SendMessageRequest,
  SendMessageResponse,
  StreamingOperation,
  UnaryOperation,
} from "./operations.js";
export { anonymousCall, protocolVersions } from "./call-context.js";
export type {
  CallContext,
  LargeAnswer,
  Principal,
  ProtocolVersion,
  TraceContext,
} from "./call-context.js";
export type { Authenticator, Credentials, PeerCertificate } from "./authenticator.js";
export { credentialsUri } from "./extensions/credentials.js";
export { eventIdExtension, eventIdUri } from "./extensions/event-id.js";
export type { AgentService, CallableService, EventIterator, StreamEvent } from "./agent-service.js";
export type { AgentLoad, MountableAgent } from "./mountable-agent.js";
export { callOnce, callStream, createService } from "./create-service.js";
export { toStreamResponse } from "./task-event.js";
export type { ArtifactUpdated, MessageAdded, StatusChanged, TaskEvent } from "./task-event.js";
export { GrowingTask } from "./growing-task.js";
export { foldTask, TaskFold } from "./task-fold.js";
export { isProtocolMethod, methodNameForm } from "./extensions/method-names.js";
export { pushKeysExtension, pushKeysUri } from "./extensions/push-keys.js";
export { failureOf } from "./extensions/failure-of.js";
export type { TaskFailure } from "./extensions/failure-of.js";
export { firstTransition, stateTransitionsExtension } from "./extensions/state-transitions.js";
export { progressOf, statusDetailsUri } from "./extensions/status-details.js";
export { unknownValuesUri } from "./extensions/unknown-values.js";
export { renameFields } from "./parse/rename-fields.js";
export { A2AError, errorCodes, protocolErrorCodes } from "./a2a-error.js";
export type { ErrorCode, ErrorDetails, FieldViolation } from "./a2a-error.js";
export { defaultLimits } from "./limits.js";
export type { Limits } from "./limits.js";
export type { Log, LogFields, LogLevel } from "./telemetry/log.js";
export type { Instrument, Labels, Metrics } from "./telemetry/metrics.js";
export type { Telemetry } from "./telemetry/telemetry.js";
export type {
  Attributes,
  AttributeValue,
  Span,
  SpanKind,
  SpanOptions,
  Tracer,
} from "./tracing/tracer.js";
export type { Writable } from "./writable.js";
