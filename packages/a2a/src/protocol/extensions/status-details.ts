/**
 * The extension that carries the progress and the structured error of a status: `{ progress, error }` in
 * the metadata of a status update and of its task. Versions before 1.0 have both as members of the status.
 */
export const statusDetailsUri = "urn:parley:a2a:status-details:v1";
