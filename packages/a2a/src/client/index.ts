/**
 * Calls agents: finds cards, chooses interfaces, and keeps streams going when their connections are lost. Uses
 * web APIs only, so that it runs in browsers and on the edge.
 */
export { connect } from "./connect.js";
export type { ConnectOptions, TransportFactory } from "./connect.js";
export type { InterfaceChoice } from "./interface/choose-interface.js";
export { RemoteAgent } from "./remote-agent.js";
export type { RemoteAgentOptions } from "./remote-agent.js";
export type {
  AnswerWaiting,
  CallOptions,
  Patience,
  SendOptions,
  WatchOptions,
} from "./call-options.js";
export { TaskHandle } from "./task-handle.js";
export type { TaskKeeper } from "./task-handle.js";
export type { AgentEvent } from "./agent-event.js";
export { textOf } from "./content.js";
export type { Content, ContentItem, FileContent } from "./content.js";
export type {
  CardSource,
  Secret,
  Secrets,
  TokenRequest,
  TokenSource,
} from "./credentials/secret.js";
export type { Reconnection } from "./follow/follow.js";
export type { Answer, Interceptor, Outgoing } from "./calls/interceptor.js";
export type { Clock } from "../async/internal.js";
