import { describe, expect, it } from "vitest";
import { TaskFold, unknownValuesUri } from "../../../src/protocol/internal.js";
import type { JsonObject, StreamResponse, TaskState } from "../../../src/protocol/internal.js";
import { codecs } from "../../../src/wire/codecs.js";
import type { Dialect } from "../../../src/wire/dialect.js";
import { dialects, printEvent, readEvent, readRequest, readResult, refusal } from "../read.js";

const unknownStates = ["TASK_STATE_PAUSED", "paused", "", 9, 99, -1];
const zeroStates = [0, "0", "TASK_STATE_UNSPECIFIED", "unspecified", "unknown", null, undefined];
const numbers: readonly [unknown, TaskState][] = [
  [2, "TASK_STATE_WORKING"],
  ["3", "TASK_STATE_COMPLETED"],
  [5, "TASK_STATE_CANCELED"],
  [8, "TASK_STATE_AUTH_REQUIRED"],
];
const unspecified = { state: "TASK_STATE_UNSPECIFIED" };

/** A status update as a peer of the dialect writes it. */
function update(dialect: Dialect, status: unknown, metadata?: unknown): unknown {
  const ids = { taskId: "t1", contextId: "c1" };
  const event = { ...ids, status, metadata };
  if (dialect === "0.1") return { id: "t1", status, metadata };
  if (dialect === "1.0" || dialect === "0.3-proto") return { statusUpdate: event };
  return { kind: "status-update", ...event };
}

describe.each(dialects)("in an answer in dialect %s", (dialect) => {
  it.each(unknownStates)("a task in the unknown state %j is a task, and says so", (state) => {
    const task = readResult(dialect, "getTask", {
      id: "t1",
      status: { state },
      metadata: { a: 1 },
    });
    expect(task).toStrictEqual({
      id: "t1",
      status: unspecified,
      metadata: { a: 1, [unknownValuesUri]: { state } },
    });
  });

  it.each(unknownStates)("an update to the unknown state %j is an update, and says so", (state) => {
    const event = readEvent(dialect, update(dialect, { state }), { taskId: "t1" });
    expect(event.statusUpdate).toMatchObject({
      taskId: "t1",
      status: unspecified,
      metadata: { [unknownValuesUri]: { state } },
    });
  });

  it.each(zeroStates)("the state %j is unspecified, and nothing else is said of it", (state) => {
    const task = readResult(dialect, "getTask", { id: "t1", status: { state } });
    expect(task).toStrictEqual({ id: "t1", status: unspecified });
    const event = readEvent(dialect, update(dialect, { state }), { taskId: "t1" });
    expect(event.statusUpdate?.status).toStrictEqual(unspecified);
    expect(event.statusUpdate?.metadata).toBeUndefined();
  });

  it.each(numbers)("the state %j is %s", (state, expected) => {
    const task = readResult(dialect, "getTask", { id: "t1", status: { state } });
    expect(task.status.state).toBe(expected);
  });

  it.each([{}, [], true])("the state %j is no state", (state) => {
    const error = refusal(() => readResult(dialect, "getTask", { id: "t1", status: { state } }));
    expect(error.details.fieldViolations?.[0]?.field).toBe("status.state");
  });

  it.each(["ROLE_SYSTEM", "system", "", 3, -1])("the unknown role %j is kept", (role) => {
    const part = dialect === "1.0" || dialect === "0.3-proto" ? {} : { kind: "text" };
    const message = { messageId: "m1", role, parts: [{ ...part, text: "hi" }] };
    const task = readResult(dialect, "getTask", {
      id: "t1",
      status: { state: "working" },
      history: [message],
    });
    expect(task.history?.[0]).toMatchObject({
      role: "ROLE_AGENT",
      parts: [{ text: "hi" }],
      metadata: { [unknownValuesUri]: { role } },
    });
  });

  it.each([0, "ROLE_UNSPECIFIED", null, undefined])("the role %j is the agent's", (role) => {
    const part = dialect === "1.0" || dialect === "0.3-proto" ? {} : { kind: "text" };
    const message = { messageId: "m1", role, parts: [{ ...part, text: "hi" }] };
    const task = readResult(dialect, "getTask", { id: "t1", status: {}, history: [message] });
    expect(task.history?.[0]).toMatchObject({ role: "ROLE_AGENT" });
    expect(task.history?.[0]).not.toHaveProperty("metadata");
  });

  it.each<[unknown, string]>([
    [1, "ROLE_USER"],
    [2, "ROLE_AGENT"],
    ["user", "ROLE_USER"],
    ["agent", "ROLE_AGENT"],
  ])("the role %j is %s", (role, expected) => {
    const part = dialect === "1.0" || dialect === "0.3-proto" ? {} : { kind: "text" };
    const message = { messageId: "m1", role, parts: [{ ...part, text: "hi" }] };
    const task = readResult(dialect, "getTask", { id: "t1", status: {}, history: [message] });
    expect(task.history?.[0]?.role).toBe(expected);
  });

  it("an unknown state is told on as unspecified, with the original beside it", () => {
    const event: StreamResponse = {
      statusUpdate: {
        taskId: "t1",
        contextId: "c1",
        status: { state: "TASK_STATE_UNSPECIFIED" },
        metadata: { [unknownValuesUri]: { state: "TASK_STATE_PAUSED" } },
      },
    };
    const [printed] = printEvent(dialect, event);
    const again = readEvent(dialect, printed, { contextId: "c1" });
    expect(again.statusUpdate).toEqual(event.statusUpdate);
    expect(JSON.stringify(printed)).toMatch(/"state":"(?:unknown|TASK_STATE_UNSPECIFIED)"/);
  });
});

describe.each(dialects)("in a request in dialect %s", (dialect) => {
  const has = codecs[dialect].jsonRpcMethods.listTasks !== undefined || dialect !== "0.1";

  it.each(["TASK_STATE_PAUSED", 9])("the unknown state %j is refused as a filter", (status) => {
    if (!has) return;
    const error = refusal(() => readRequest(dialect, "listTasks", { status }));
    expect(error.details.fieldViolations?.[0]?.field).toBe("status");
  });

  it.each(["ROLE_SYSTEM", 3, 0])("the role %j is refused", (role) => {
    const message: JsonObject = { messageId: "m1", role, parts: [{ kind: "text", text: "hi" }] };
    const error = refusal(() => readRequest(dialect, "sendMessage", { id: "t1", message }));
    expect(error.details.fieldViolations?.[0]?.field).toBe("message.role");
  });
});

it("a task leaves an unknown state, and its name, behind", () => {
  const task = readResult("1.0", "getTask", {
    id: "t1",
    status: { state: "TASK_STATE_PAUSED" },
    metadata: { a: 1 },
  });
  const fold = new TaskFold(task);
  fold.apply({
    kind: "status-changed",
    status: { state: "TASK_STATE_WORKING" },
  });
  expect(fold.task()).toEqual({
    id: "t1",
    status: { state: "TASK_STATE_WORKING" },
    metadata: { a: 1 },
  });
});
