import type { Outcome } from "../../probe/session.js";
import { fail } from "../check.js";
import type { ConformanceCheck, Observation } from "../check.js";
import { told, unknownRead } from "../subject.js";
import { asList, errorOf } from "../wire-json.js";
import type { Json } from "../wire-json.js";

/** A check of the error for a task that does not exist. */
export function ofError(
  id: ConformanceCheck["id"],
  more: Omit<ConformanceCheck, "id" | "run">,
  judge: (error: Json, outcome: Outcome<unknown>) => Observation,
): ConformanceCheck {
  return {
    id,
    ...more,
    async run(subject) {
      const outcome = await unknownRead(subject);
      const error = errorOf(outcome.exchange);
      return error === undefined
        ? fail(`there is no error object: ${told(outcome)}`)
        : judge(error, outcome);
    },
  };
}

const errorInfo = "type.googleapis.com/google.rpc.ErrorInfo";

/** Whether the details of an error say that a task was not found, as the specification has it. */
export function hasErrorInfo(details: unknown): boolean {
  return asList(details).some(
    (one) =>
      one["@type"] === errorInfo &&
      one["reason"] === "TASK_NOT_FOUND" &&
      one["domain"] === "a2a-protocol.org",
  );
}
