/**
 * The extension under which a client keeps what a peer said and this version of the protocol does not know: `{ state }` in
 * the metadata of a task and of a status update, `{ role }` in that of a message, each as the peer spelled it. The state
 * itself is then `TASK_STATE_UNSPECIFIED`, and the role that of the agent, as if the peer had named none.
 */
export const unknownValuesUri = "urn:parley:a2a:unknown-values:v1";
