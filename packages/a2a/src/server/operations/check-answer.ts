import { A2AError, failureOf, isTerminal } from "../../protocol/internal.js";
import type { Task } from "../../protocol/internal.js";
import { malformedCode } from "../author/malformed-output.js";

/** Tells a caller that waits for its answer that the agent gave a malformed one. The task has failed with that code. */
export function checkAnswer({ id: taskId, status, metadata = {} }: Task): void {
  const failure = isTerminal(status.state) ? failureOf({ metadata }) : undefined;
  if (failure?.code !== malformedCode) return;
  throw new A2AError(malformedCode, failure.message ?? "the agent gave a malformed answer", {
    // Clients do not try again what has a problem by name.
    details: { metadata: { taskId, problem: "output" } },
  });
}
