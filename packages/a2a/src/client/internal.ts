/** What the root door takes of the client. */
export { connect } from "./connect.js";
