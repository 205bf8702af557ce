import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { artifact, task, taskStatus } from "../../../test/support/arbitraries/model.js";
import { taskStates } from "../task-state.js";
import { Cursor } from "./cursor.js";
import { parseArtifact, parseTask, parseTaskState, parseTaskStatus } from "./task.js";

describe("a task", () => {
  const valid = { id: "t1", status: { state: "TASK_STATE_WORKING" } };
  const read = (members: object): unknown => parseTask({ ...valid, ...members }, new Cursor());

  it("that is as the model has it is returned itself, and so are its pieces", () => {
    fc.assert(
      fc.property(task, taskStatus, artifact, (one, status, product) => {
        expect(parseTask(one, new Cursor()) === one).toBe(true);
        expect(parseTaskStatus(status, new Cursor()) === status).toBe(true);
        expect(parseArtifact(product, new Cursor()) === product).toBe(true);
      }),
    );
  });

  it("is read under snake_case names, without nulls, defaults and what no one knows", () => {
    const given = {
      id: "t1",
      context_id: "c1",
      status: { state: 6, message: null, timestamp: "2026-01-02T03:04:05+01:00", progress: 1 },
      artifacts: [{ artifact_id: "a1", parts: [{ text: "x" }], name: "", description: null }],
      history: [],
      metadata: {},
      createdAt: "now",
    };
    expect(parseTask(given, new Cursor())).toStrictEqual({
      id: "t1",
      contextId: "c1",
      status: { state: "TASK_STATE_INPUT_REQUIRED", timestamp: "2026-01-02T02:04:05Z" },
      artifacts: [{ artifactId: "a1", parts: [{ text: "x" }] }],
      metadata: {},
    });
  });

  it.each<[object, string]>([
    [{ id: undefined }, "id"],
    [{ id: "" }, "id"],
    [{ status: undefined }, "status"],
    [{ status: "working" }, "status"],
    [{ status: {} }, "status.state"],
    [{ status: { state: "running" } }, "status.state"],
    [{ status: { state: 1, timestamp: "now" } }, "status.timestamp"],
    [{ status: { state: 1, message: { messageId: "m1" } } }, "status.message.role"],
    [{ artifacts: {} }, "artifacts"],
    [{ artifacts: [{ artifactId: "a", parts: [] }] }, "artifacts[0].parts"],
    [{ artifacts: [{ parts: [{ text: "x" }] }] }, "artifacts[0].artifactId"],
    [{ artifacts: [{ artifactId: "a" }] }, "artifacts[0].parts"],
    [{ artifacts: [{ artifactId: "a", parts: [{ text: "" }], name: 1 }] }, "artifacts[0].name"],
    [{ history: [null] }, "history[0]"],
    [{ history: [{ messageId: "m", role: 1, parts: [{}] }] }, "history[0].parts[0]"],
    [{ metadata: [] }, "metadata"],
    [{ contextId: 1 }, "contextId"],
  ])("is refused at the member that is wrong: %j", (members, field) => {
    verifies("json:required-missing");
    expect(violation(() => read(members))).toMatchObject({ code: "INVALID_PARAMS", field });
  });
});

describe("a task state", () => {
  it("is read by its name and by its number", () => {
    verifies("json:enum-numbers");
    const names = taskStates.map((state) => parseTaskState(state, new Cursor()));
    const numbers = taskStates.map((_, number) => parseTaskState(number, new Cursor()));
    expect(names).toEqual(taskStates);
    expect(numbers).toEqual(taskStates);
  });

  it.each([
    "running",
    "working",
    "TASK_STATE_CANCELLED",
    "task_state_working",
    "",
    "2",
    9,
    -1,
    1.5,
  ])("is not %j", (value) => {
    expect(violation(() => parseTaskState(value, new Cursor())).description).toMatch(
      /^expected a task state such as TASK_STATE_WORKING, got /,
    );
  });
});
