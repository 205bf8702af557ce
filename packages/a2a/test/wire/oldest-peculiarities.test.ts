import { expect, test } from "vitest";
import { A2AError } from "../../src/protocol/internal.js";
import { codecs, Cursor } from "../../src/wire/index.js";

const oldest = codecs["0.1"];
const peer = () => new Cursor({ code: "INVALID_AGENT_RESPONSE", newId: () => "generated" });

test("a message to an ended task is refused in 0.1's own word", () => {
  const details = { metadata: { taskId: "t1", taskState: "completed" } };
  const error = new A2AError("UNSUPPORTED_OPERATION", "task t1 is completed", { details });
  const encoded = oldest.encodeJsonRpcError(error);
  expect(encoded).toMatchObject({ code: -32004, data: { reason: "INVALID_TASK_STATE" } });
  expect(oldest.decodeJsonRpcError(encoded).code).toBe("UNSUPPORTED_OPERATION");
});

test("no configuration in the answer to a question for it means that there is none", () => {
  const answer = { id: "t1", pushNotificationConfig: null };
  const read = () =>
    oldest.decodeResult.getTaskPushNotificationConfig(answer, peer(), { taskId: "t1" });
  expect(read).toThrow(expect.objectContaining({ code: "TASK_NOT_FOUND" }));
});

test.each([
  { state: "failed", isTold: true },
  { state: "error", isTold: true },
  { state: "working", isTold: false },
])("an error in the status of a $state task becomes a message: $isTold", ({ state, isTold }) => {
  const json = { id: "t1", contextId: "c1", status: { state, error: { message: "no seats" } } };
  const { status } = codecs["0.3"].decodeResult.getTask(json, peer(), {});
  expect(status.message?.parts[0]).toEqual(isTold ? { text: "no seats" } : undefined);
});
