/**
 * Calling agents: finds cards, chooses an interface, authenticates, and keeps a stream going when its connection
 * breaks. Web APIs only, so that it runs in browsers and on the edge.
 */

// Call an agent
export { connect } from "./connect.js";
export type { ConnectOptions } from "./connect.js";
export { TaskNotCompleted } from "./task-not-completed.js";
export type { RemoteAgent } from "./remote-agent.js";
export type { TaskHandle } from "./task-handle.js";
export type { AgentEvent } from "./follow/conversation.js";
export type { Reconnection } from "./follow/reconnector.js";
export type { CallOptions, SendOptions, WatchOptions, Content } from "./call-options.js";

// Authenticate, intercept, and bring a transport
export type { Secrets, TokenRequest, TokenSource } from "./credentials/secret.js";
export type { Interceptor } from "./calls/interceptor.js";
export type { TransportFactory } from "./connect.js";
export { patientFetch } from "./calls/patient-fetch.js";
export type { Fetch } from "../http/internal.js";
