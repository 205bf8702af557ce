/** Summaries of tasks that are too large for a checkpoint. `omits` is the content that is not in them. */
export const keepSummaries = `
CREATE TABLE summaries (
  task INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL,
  omits TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
`;
