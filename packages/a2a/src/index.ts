/** What the first ten lines of an agent or a client need: `agent`, `connect`, `textOf`, and the protocol's model. */
export { agent } from "./server/internal.js";
export { connect } from "./client/internal.js";
