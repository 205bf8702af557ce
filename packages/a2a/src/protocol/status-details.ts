/**
 * The extension under which progress and structured errors of a status travel: `{ progress, error }` in
 * the metadata of a status update, and of the task it belongs to. Versions before 1.0 show them as
 * members of the status itself.
 */
export const statusDetailsUri = "urn:parley:a2a:status-details:v1";
