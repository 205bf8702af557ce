import { A2AError } from "../../protocol/internal.js";
import type { ErrorCode, RequestOf } from "../../protocol/internal.js";
import { assert, assertEqual, assertRefused } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { collect, say, sayTo } from "./transport-bench.js";
import type { TransportBench } from "./transport-bench.js";

async function errorOf(promise: Promise<unknown>): Promise<A2AError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert(A2AError.is(error), `expected an A2AError, got ${String(error)}`);
  return error;
}

/** Errors, and what they say. */
export const refusalCases: Statements<TransportBench> = {
  "a refusal has the code, the message and the details of its error": async ({ service, call }) => {
    const error = await errorOf(service.getTask({ id: "missing" }, call));
    assertEqual(error.code, "TASK_NOT_FOUND", "the code");
    assert(error.message.includes("missing"), `the message is ${error.message}`);
    assertEqual(error.details.metadata?.["taskId"], "missing", "the metadata");
  },

  "an ended task takes no more messages": async ({ service, call }) => {
    const { task } = await service.sendMessage(say("count 1"), call);
    assert(task !== undefined, "the answer is no task");
    const expected: ErrorCode = "UNSUPPORTED_OPERATION";
    await assertRefused(service.sendMessage(sayTo(task, "more"), call), expected, "sending");
    const streaming = collect(service.sendStreamingMessage(sayTo(task, "more"), call));
    await assertRefused(streaming, expected, "streaming");
  },

  "a request that breaks a rule is refused by the path of its field": async ({
    service,
    call,
    version,
  }) => {
    const error = await errorOf(service.sendMessage(say([]), call));
    assertEqual(error.code, "INVALID_PARAMS", "the code");
    const [violation] = error.details.fieldViolations ?? [];
    const paths = version === "1.0" ? ["message.parts"] : ["message.content", "message.parts"];
    assert(paths.includes(violation?.field ?? ""), `the field is ${violation?.field}`);
  },

  "a part of no kind is refused by its place": async ({ service, call }) => {
    const parts = [{ text: "x" }, {}] as unknown as RequestOf<"sendMessage">["message"]["parts"];
    const error = await errorOf(service.sendMessage(say(parts), call));
    assertEqual(error.code, "INVALID_PARAMS", "the code");
    const [violation] = error.details.fieldViolations ?? [];
    const isPlace = /^message\.(parts|content)\[1\]/.test(violation?.field ?? "");
    assert(isPlace, `the field is ${violation?.field}`);
  },
};
