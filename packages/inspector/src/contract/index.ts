/** What the page and its backend tell each other, as JSON. Types only. */

export type {
  CallAnswer,
  CallEvent,
  CallRequest,
  DeadRequest,
  Fault,
  HopPage,
  PreviewRequest,
  RawRequest,
  ReceiverRequest,
  Refused,
  Session,
  SessionRequest,
} from "./api.js";
export type { Capabilities, InspectedAgent, Mode } from "./capabilities.js";
export type {
  Binding,
  CheckLine,
  Connection,
  ConnectionRequest,
  InterfaceReport,
  LintItem,
  Problem,
  SecretInput,
  Severity,
  SignatureCheck,
} from "./connection.js";
export type { Delivery, Receiver, ReceiverBehaviour } from "./delivery.js";
export type { FeedItem, Resumption } from "./feed.js";
export type { Frame, HeaderList, Hop, HopSummary } from "./hop.js";
export type {
  DeadLetter,
  DeadLetters,
  LogPage,
  Overview,
  StuckReason,
  StuckTask,
  TaskList,
} from "./operator.js";
export type { PushAttempt, PushAttempts } from "./push-attempt.js";
export type { RecordingLine } from "./recording.js";
