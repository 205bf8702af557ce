import { describe, expect, it } from "vitest";
import { isSettled } from "../../src/protocol/internal.js";
import type { JsonObject, Task, TaskState } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import { dialects, printEvent, readEvent, readRequest, readResult, refusal } from "./read.js";

function print(dialect: Dialect, task: Task): JsonObject {
  return codecs[dialect].encodeResult.getTask(task, { id: task.id }) as JsonObject;
}

function printState(dialect: Dialect, state: TaskState): unknown {
  return (print(dialect, { id: "t", status: { state } })["status"] as JsonObject)["state"];
}

/** A state as a client reads it from a peer, and as a server reads it from a filter. */
function readState(dialect: Dialect, state: string): readonly unknown[] {
  const task = readResult(dialect, "getTask", { id: "t", status: { state } });
  if (dialect === "0.1") return [task.status.state];
  return [task.status.state, readRequest(dialect, "listTasks", { status: state }).status];
}

function expectReads(spelling: string, expected: TaskState): void {
  for (const dialect of dialects) {
    expect(new Set(readState(dialect, spelling))).toEqual(new Set([expected]));
  }
}

describe("C12 spelling of canceled", () => {
  it.each(["canceled", "cancelled", "CANCELLED", "TASK_STATE_CANCELED", "TASK_STATE_CANCELLED"])(
    "may be %s when it is read",
    (spelling) => {
      expectReads(spelling, "TASK_STATE_CANCELED");
    },
  );

  it.each<[Dialect, string]>([
    ["0.1", "canceled"],
    ["0.1+0.3", "canceled"],
    ["0.3", "canceled"],
    ["0.3+type", "canceled"],
    ["0.3-schema", "canceled"],
    ["0.3-proto", "TASK_STATE_CANCELLED"],
    ["1.0", "TASK_STATE_CANCELED"],
  ])("is in %s written %s", (dialect, spelling) => {
    expect(printState(dialect, "TASK_STATE_CANCELED")).toBe(spelling);
  });
});

describe("C13 spelling of input-required", () => {
  it.each(["input-required", "input_required", "Input Required", "TASK_STATE_INPUT_REQUIRED"])(
    "may be %s when it is read",
    (spelling) => {
      expectReads(spelling, "TASK_STATE_INPUT_REQUIRED");
    },
  );

  it("has a hyphen when it is written in lower case", () => {
    expect(printState("0.3", "TASK_STATE_INPUT_REQUIRED")).toBe("input-required");
    expect(printState("0.3+type", "TASK_STATE_INPUT_REQUIRED")).toBe("input-required");
  });
});

describe("C14 name of failure", () => {
  it.each(["failed", "error", "TASK_STATE_FAILED"])("may be %s when it is read", (spelling) => {
    expectReads(spelling, "TASK_STATE_FAILED");
  });

  it("is failed when it is written", () => {
    expect(printState("0.3", "TASK_STATE_FAILED")).toBe("failed");
    expect(printState("0.3+type", "TASK_STATE_FAILED")).toBe("failed");
  });
});

describe("C15 set of states", () => {
  it.each<[state: TaskState, oldest: string, schema: string, proto: string]>([
    ["TASK_STATE_SUBMITTED", "submitted", "submitted", "TASK_STATE_SUBMITTED"],
    ["TASK_STATE_WORKING", "working", "working", "TASK_STATE_WORKING"],
    ["TASK_STATE_COMPLETED", "completed", "completed", "TASK_STATE_COMPLETED"],
    ["TASK_STATE_FAILED", "failed", "failed", "TASK_STATE_FAILED"],
    ["TASK_STATE_CANCELED", "canceled", "canceled", "TASK_STATE_CANCELLED"],
    ["TASK_STATE_INPUT_REQUIRED", "input-required", "input-required", "TASK_STATE_INPUT_REQUIRED"],
    ["TASK_STATE_REJECTED", "failed", "rejected", "TASK_STATE_REJECTED"],
    ["TASK_STATE_AUTH_REQUIRED", "input-required", "auth-required", "TASK_STATE_AUTH_REQUIRED"],
  ])("has %s in every version, or the nearest there is", (state, oldest, schema, proto) => {
    verifies("json:enum-names");
    const spellings = Object.fromEntries(dialects.map((one) => [one, printState(one, state)]));
    expect(spellings).toEqual({
      "0.1": oldest,
      "0.1+0.3": oldest,
      "0.3": schema,
      "0.3+type": schema,
      "0.3-schema": schema,
      "0.3-proto": proto,
      "1.0": state,
    });
    expectReads(schema, state);
    expectReads(proto, state);
    expectReads(state, state);
  });

  it("has a state for a task of which nothing is known", () => {
    expectReads("unknown", "TASK_STATE_UNSPECIFIED");
    expect(printState("0.3", "TASK_STATE_UNSPECIFIED")).toBe("unknown");
  });

  it("reads an old name for submitted", () => {
    expectReads("pending", "TASK_STATE_SUBMITTED");
  });

  it.each(["running", "paused", "", "TASK_STATE_", "constructor"])("has no %j", (state) => {
    for (const dialect of dialects) {
      const task = readResult(dialect, "getTask", { id: "t", status: { state } });
      expect(task.status.state).toBe("TASK_STATE_UNSPECIFIED");
      if (dialect === "0.1") continue;
      const caller = refusal(() => readRequest(dialect, "listTasks", { status: state }));
      expect(codecs[dialect].encodeJsonRpcError(caller).code).toBe(-32602);
    }
  });
});

describe("C16 members of a status", () => {
  const uri = "urn:parley:a2a:status-details:v1";
  const error = { code: "E", message: "broken", details: [1] };
  const timestamp = "2026-01-02T03:04:05.678Z";
  const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "no" }] } as const;
  const status = { state: "TASK_STATE_FAILED", message, timestamp } as const;
  const task: Task = { id: "t", status, metadata: { [uri]: { progress: 0.5, error }, own: 1 } };

  it.each<Dialect>(["0.1", "0.1+0.3", "0.3", "0.3+type", "0.3-schema"])(
    "include progress and error in %s",
    (dialect) => {
      const printed = print(dialect, task);
      expect(printed).toMatchObject({ status: { progress: 0.5, error, timestamp } });
      expect(printed["metadata"]).toEqual({ own: 1 });
      expect(readResult(dialect, "getTask", printed).metadata).toEqual(task.metadata);
    },
  );

  it.each<Dialect>(["0.3-proto", "1.0"])(
    "do not include them in %s, but metadata does",
    (dialect) => {
      const printed = print(dialect, task);
      expect(Object.keys(printed["status"] as JsonObject).toSorted()).toEqual([
        "message",
        "state",
        "timestamp",
      ]);
      expect(printed["metadata"]).toEqual({ [uri]: { progress: 0.5, error }, own: 1 });
    },
  );

  it("belong to the event where there is no task", () => {
    const statusUpdate = {
      taskId: "t",
      contextId: "c",
      status,
      metadata: { [uri]: { progress: 1 } },
    };
    expect(printEvent("0.3", { statusUpdate })[0]).toMatchObject({ status: { progress: 1 } });
    expect(printEvent("1.0", { statusUpdate })[0]).toEqual({ statusUpdate });
  });

  it("need no timestamp from a peer, whose local times are taken as UTC", () => {
    verifies("json:timestamp-parse");
    const read = (written?: string) =>
      readResult("0.3", "getTask", { id: "t", status: { state: "working", timestamp: written } })
        .status.timestamp;
    expect(read()).toBeUndefined();
    expect(read("2024-01-20T10:30:00Z")).toBe("2024-01-20T10:30:00Z");
    expect(read("2025-04-02T16:59:25.331844")).toBe("2025-04-02T16:59:25.331844Z");
    expect(read("2026-01-02T03:04:05.678+02:00")).toBe("2026-01-02T01:04:05.678Z");
  });
});

describe("C17 form of an artifact", () => {
  const file = { mimeType: "image/png", bytes: "aGk=" };
  const part = { raw: "aGk=", mediaType: "image/png" };
  const whole = { append: false, lastChunk: true };

  it.each<[string, JsonObject, JsonObject]>([
    ["as it should be", { artifactId: "a", parts: [{ kind: "file", file }] }, { artifactId: "a" }],
    ["as one flat file", { id: "a", name: "n", ...file }, { artifactId: "a", name: "n" }],
    ["without an id", { parts: [{ kind: "file", file }] }, { artifactId: "artifact-0" }],
  ])("is understood %s", (_, artifact, expected) => {
    const json = { id: "t", status: { state: "completed" }, artifacts: [artifact] };
    const { artifacts } = readResult("0.3", "getTask", json);
    expect(artifacts).toEqual([{ ...expected, parts: [part] }]);
  });

  it("keeps the chunks of one artifact without an id together", () => {
    const chunk = { kind: "artifact-update", taskId: "t", artifact: { parts: [{ text: "x" }] } };
    const ids = [chunk, { ...chunk, append: true }].map(
      (json) => readEvent("0.3", json).artifactUpdate?.artifact.artifactId,
    );
    expect(ids).toEqual(["artifact-0", "artifact-0"]);
  });

  it("is known by its place in 0.1", () => {
    const artifacts = [0, 1].map((index) => ({ index, parts: [{ type: "text", text: "x" }] }));
    const json = { id: "t", status: { state: "completed" }, artifacts };
    const read = readResult("0.1", "getTask", json).artifacts;
    expect(read?.map(({ artifactId }) => artifactId)).toEqual(["0", "1"]);
  });

  it.each<[Dialect, JsonObject]>([
    ["0.1", { index: 0, parts: [{ type: "file", file }], ...whole }],
    [
      "0.1+0.3",
      { artifactId: "a", index: 0, parts: [{ kind: "file", type: "file", file }], ...whole },
    ],
    ["0.3", { artifactId: "a", parts: [{ kind: "file", file }] }],
    [
      "0.3-proto",
      {
        artifactId: "a",
        parts: [{ file: { fileWithBytes: "aGk=", mimeType: "image/png" } }],
      },
    ],
    ["1.0", { artifactId: "a", parts: [part] }],
  ])("is written in %s with its parts", (dialect, artifact) => {
    const artifacts = [{ artifactId: "a", parts: [part] }];
    const printed = print(dialect, {
      id: "t",
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts,
    });
    expect(printed["artifacts"]).toEqual([artifact]);
  });
});

describe("C24 kind of a result", () => {
  const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] } as const;
  const task: Task = {
    id: "t",
    contextId: "c",
    status: { state: "TASK_STATE_WORKING", message },
    history: [message],
  };

  it.each<Dialect>(["0.1+0.3", "0.3", "0.3+type", "0.3-schema"])(
    "is always there in %s",
    (dialect) => {
      const { encodeResult } = codecs[dialect];
      const expected = {
        kind: "task",
        status: { message: { kind: "message" } },
        history: [{ kind: "message" }],
      };
      expect(encodeResult.getTask(task, { id: "t" })).toMatchObject(expected);
      expect(encodeResult.cancelTask(task, { id: "t" })).toMatchObject(expected);
      const statusUpdate = { taskId: "t", contextId: "c", status: task.status };
      const [event] = printEvent(dialect, { statusUpdate });
      const bare = dialect === "0.3-schema" ? (event as JsonObject)["statusUpdate"] : event;
      expect(bare).toMatchObject({
        kind: "status-update",
        status: { message: { kind: "message" } },
      });
    },
  );

  it.each<Dialect>(["0.1", "0.3-proto", "1.0"])("is never there in %s", (dialect) => {
    verifies("json:no-kind");
    expect(JSON.stringify(print(dialect, task))).not.toContain('"kind"');
    expect(JSON.stringify(printEvent(dialect, { message }))).not.toContain('"kind"');
  });

  it.each<[string, JsonObject, string]>([
    ["a task", { id: "t", contextId: "c", status: { state: "working" } }, "task"],
    ["a message", { messageId: "m", role: "agent", parts: [{ text: "hi" }] }, "message"],
    [
      "a status update",
      { taskId: "t", contextId: "c", status: { state: "working" } },
      "statusUpdate",
    ],
    [
      "an artifact update",
      { taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [{ text: "hi" }] } },
      "artifactUpdate",
    ],
  ])("is not needed to tell %s", (_, json, member) => {
    expect(Object.keys(readEvent("0.3", json))).toEqual([member]);
  });
});

describe("C37 empty lists", () => {
  const empty = {
    kind: "task",
    id: "t",
    contextId: "c",
    status: { state: "working" },
    artifacts: [],
    history: [],
  };

  it("are read as nothing", () => {
    expect(readResult("0.3", "getTask", empty)).toEqual({
      id: "t",
      contextId: "c",
      status: { state: "TASK_STATE_WORKING" },
    });
  });

  it("are left out of 1.0", () => {
    const printed = print("1.0", readResult("0.3", "getTask", empty));
    expect(Object.keys(printed).toSorted()).toEqual(["contextId", "id", "status"]);
  });

  it("are there in the one place where 1.0 wants them", () => {
    verifies("list:response-fields", "list:next-page-token-present");
    const page = { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 };
    expect(codecs["1.0"].encodeResult.listTasks(page, {})).toEqual(page);
  });
});

describe("C42 polling", () => {
  it.each<[TaskState, boolean]>([
    ["TASK_STATE_UNSPECIFIED", true],
    ["TASK_STATE_SUBMITTED", true],
    ["TASK_STATE_WORKING", true],
    ["TASK_STATE_COMPLETED", false],
    ["TASK_STATE_FAILED", false],
    ["TASK_STATE_CANCELED", false],
    ["TASK_STATE_REJECTED", false],
    ["TASK_STATE_INPUT_REQUIRED", false],
    ["TASK_STATE_AUTH_REQUIRED", false],
  ])("of a task in %s goes on: %s", (state, goesOn) => {
    expect(!isSettled(state)).toBe(goesOn);
  });

  it("never begins for a direct answer, which has no state", () => {
    const reply = {
      kind: "message",
      messageId: "m",
      role: "agent",
      parts: [{ kind: "text", text: "" }],
    };
    expect(readResult("0.3", "sendMessage", reply)).not.toHaveProperty("task");
  });
});
