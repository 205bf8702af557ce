/**
 * Calling agents: finds cards, chooses interfaces, and keeps streams going over whatever happens to
 * their connections. Web APIs only, so that it runs in browsers and on the edge.
 */
export { connect } from "./connect.js";
export type { ConnectOptions, TransportFactory } from "./connect.js";
export type { InterfaceChoice } from "./choose-interface.js";
export { RemoteAgent } from "./remote-agent.js";
export type { AgentEvent, Content, RemoteAgentOptions, SendOptions } from "./remote-agent.js";
export type { Timers } from "./timers.js";
