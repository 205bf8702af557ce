/** The part of the client that the root entry re-exports. */
export { connect } from "./connect.js";
