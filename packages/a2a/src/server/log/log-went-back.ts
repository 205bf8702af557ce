import { A2AError } from "../../protocol/internal.js";

/** The store knows less of a task than this node has read from it, or something else: a failover has lost commits. */
export class LogWentBack extends A2AError {
  constructor(taskId: string) {
    const message = `the store has lost the latest entries of task ${taskId}; ask for it again`;
    super("UNAVAILABLE", message, { details: { retryAfterSeconds: 1 } });
  }
}
