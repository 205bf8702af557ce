/** The part of the client that the root entry re-exports. */
export { connect } from "./connect.js";
export { TaskNotCompleted } from "./task-not-completed.js";
