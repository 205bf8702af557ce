/** The part of the client that the root entry re-exports, and what a trial needs to speak as a client does. */
export { connect } from "./connect.js";
export { createMessage } from "./outgoing-message.js";
export { TaskNotCompleted } from "./task-not-completed.js";
export type { Content, SendOptions } from "./call-options.js";
