import type { ErrorCode } from "../../protocol/internal.js";

/** The code of the failure of a task whose agent gave a malformed answer, and of the error of whoever waits for it. */
export const malformedCode: ErrorCode & "INVALID_AGENT_RESPONSE" = "INVALID_AGENT_RESPONSE";

/**
 * Something that an agent's handler yields, returns or says and that A2A cannot carry. The operator gets the message; a
 * caller that waits for the answer gets `INVALID_AGENT_RESPONSE`.
 */
export class MalformedOutput extends Error {
  override readonly name = "MalformedOutput";
}
