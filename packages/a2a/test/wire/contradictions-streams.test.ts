import { describe, expect, it } from "vitest";
import { endsStream } from "../../src/protocol/internal.js";
import type { JsonObject, StreamResponse, TaskState } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { parseJsonRpcResponse } from "../../src/wire/detect/json-rpc-envelope.js";
import { parseJson } from "../../src/wire/detect/parse-json.js";
import { verifies } from "../spec/verifies.js";
import { printEvent, readEvent, readResult, refusal } from "./read.js";

const status = { state: "TASK_STATE_WORKING" } as const;
const statusUpdate = { taskId: "t1", contextId: "c1", status };
const artifactUpdate = {
  taskId: "t1",
  contextId: "c1",
  artifact: { artifactId: "a1", parts: [{ text: "x" }] },
  append: true,
  lastChunk: true,
};
const second = { artifactIndex: () => 1 };

describe("C18 chunk flags", () => {
  const part = { kind: "text", text: "x" };
  const typed = { type: "text", text: "x" };
  const flags = { append: true, lastChunk: true };

  it.each<[Dialect, JsonObject]>([
    ["0.1", { id: "t1", artifact: { parts: [typed], index: 1, ...flags } }],
    [
      "0.1+0.3",
      {
        kind: "artifact-update",
        id: "t1",
        taskId: "t1",
        contextId: "c1",
        artifact: { artifactId: "a1", index: 1, parts: [{ ...part, ...typed }], ...flags },
        ...flags,
      },
    ],
    [
      "0.3",
      {
        kind: "artifact-update",
        taskId: "t1",
        contextId: "c1",
        artifact: { artifactId: "a1", parts: [part] },
        ...flags,
      },
    ],
    [
      "0.3-schema",
      {
        artifactUpdate: {
          kind: "artifact-update",
          taskId: "t1",
          contextId: "c1",
          artifact: { artifactId: "a1", parts: [part] },
          ...flags,
        },
      },
    ],
    ["0.3-proto", { artifactUpdate }],
    ["1.0", { artifactUpdate }],
  ])("are where %s has them", (dialect, wire) => {
    expect(printEvent(dialect, { artifactUpdate }, second)).toStrictEqual([wire]);
    const read = readEvent(dialect, wire, { contextId: "c1" }).artifactUpdate;
    expect(read).toMatchObject({ taskId: "t1", contextId: "c1", ...flags });
    expect(read?.artifact).toStrictEqual({
      artifactId: dialect === "0.1" ? "1" : "a1",
      parts: [{ text: "x" }],
    });
  });

  const { append: _, lastChunk: __, ...plain } = artifactUpdate;
  const unset = { append: false, lastChunk: false };

  it.each<[Dialect, JsonObject]>([
    ["0.1", { artifact: unset }],
    ["0.1+0.3", { ...unset, artifact: unset }],
    ["0.3", unset],
    ["0.3+type", unset],
    ["0.3-schema", { artifactUpdate: unset }],
  ])("are false in %s where they are not set", (dialect, expected) => {
    const [wire] = printEvent(dialect, { artifactUpdate: plain });
    expect(wire).toMatchObject(expected);
    expect(readEvent(dialect, wire).artifactUpdate).not.toHaveProperty("append");
  });

  it.each<Dialect>(["0.3-proto", "1.0"])("are left out of %s where they are not set", (dialect) => {
    expect(printEvent(dialect, { artifactUpdate: plain })).toStrictEqual([
      { artifactUpdate: plain },
    ]);
  });
});

describe("C19 ids of an event", () => {
  it.each<[Dialect, JsonObject]>([
    ["0.1", { id: "t1" }],
    ["0.1+0.3", { id: "t1", taskId: "t1", contextId: "c1" }],
    ["0.3", { taskId: "t1", contextId: "c1" }],
    ["0.3-proto", { taskId: "t1", contextId: "c1" }],
    ["1.0", { taskId: "t1", contextId: "c1" }],
  ])("are in %s exactly %j", (dialect, expected) => {
    for (const event of [{ statusUpdate }, { artifactUpdate }] as const) {
      const [printed] = printEvent(dialect, event) as readonly JsonObject[];
      const update = printed?.["statusUpdate"] ?? printed?.["artifactUpdate"] ?? printed;
      const { id, taskId, contextId } = update as JsonObject;
      expect({ id, taskId, contextId }).toEqual(expected);
    }
  });

  it.each<[string, Dialect, JsonObject]>([
    ["seed 3", "0.3", { kind: "status-update", taskId: "t1", status: { state: "working" } }],
    ["seed 4", "0.3-schema", { statusUpdate: { taskId: "t1", status: { state: "working" } } }],
    ["seed 4", "0.3-proto", { statusUpdate: { taskId: "t1", status: { state: "working" } } }],
    ["seed 4", "1.0", { statusUpdate: { taskId: "t1", status: { state: "working" } } }],
    ["seed 1", "0.1", { id: "t1", status: { state: "working" } }],
  ])(
    "are completed by what is known of the task, in the words of %s and %s",
    (_, dialect, wire) => {
      expect(readEvent(dialect, wire, { taskId: "t9", contextId: "c1" })).toEqual({ statusUpdate });
    },
  );
});

describe("C20 envelope of an event", () => {
  const bare = {
    kind: "status-update",
    ...statusUpdate,
    status: { state: "working" },
    final: false,
  };

  it("is kind over JSON-RPC and a wrapper over REST", () => {
    expect(printEvent("0.3", { statusUpdate })).toStrictEqual([bare]);
    expect(printEvent("0.3-schema", { statusUpdate })).toStrictEqual([{ statusUpdate: bare }]);
    expect(printEvent("1.0", { statusUpdate })).toStrictEqual([{ statusUpdate }]);
  });

  it.each<StreamResponse>([
    { task: { id: "t1", status } },
    { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "x" }] } },
    { statusUpdate },
    { artifactUpdate },
  ])("has in 1.0 exactly one member: %j", (event) => {
    verifies("stream:one-payload");
    expect(printEvent("1.0", event)).toStrictEqual([event]);
    expect(readEvent("1.0", event)).toStrictEqual(event);
    const both = { ...event, task: { id: "t2", status }, statusUpdate };
    expect(refusal(() => readEvent("1.0", both)).code).toBe("INVALID_AGENT_RESPONSE");
  });

  it("is understood in either form", () => {
    for (const dialect of ["0.3", "0.3-schema"] as const) {
      expect(readEvent(dialect, bare)).toEqual({ statusUpdate });
      expect(readEvent(dialect, { statusUpdate: bare })).toEqual({ statusUpdate });
    }
  });
});

describe("C21 first event", () => {
  const task = {
    id: "t1",
    contextId: "c1",
    status,
    artifacts: [{ artifactId: "a1", parts: [{ text: "x" }] }],
  };

  it.each<[Dialect, string]>([
    ["0.3", "kind"],
    ["0.3-schema", "task"],
    ["0.3-proto", "task"],
    ["1.0", "task"],
  ])("is the task in %s", (dialect, member) => {
    const events = printEvent(dialect, { task });
    expect(events).toHaveLength(1);
    expect(events[0]).toHaveProperty(member);
    expect(readEvent(dialect, events[0])).toEqual({ task });
  });

  it.each<[Dialect, TaskState, boolean]>([
    ["0.1", "TASK_STATE_WORKING", false],
    ["0.1", "TASK_STATE_COMPLETED", true],
    ["0.1+0.3", "TASK_STATE_WORKING", false],
    ["0.1+0.3", "TASK_STATE_COMPLETED", true],
  ])("is in %s at %s what the task has so far, and then its status", (dialect, state, isOver) => {
    const event = { task: { ...task, status: { state } } };
    const [artifact, status, ...more] = printEvent(dialect, event, { final: isOver });
    expect(artifact).toMatchObject({
      id: "t1",
      artifact: {
        parts: [{ type: "text", text: "x" }],
        index: 0,
        append: false,
        lastChunk: isOver,
      },
    });
    const spelt = isOver ? "completed" : "working";
    expect(status).toMatchObject({ id: "t1", status: { state: spelt }, final: isOver });
    expect(more).toEqual([]);
  });
});

describe("C22 final", () => {
  it.each<Dialect>(["0.1", "0.1+0.3", "0.3", "0.3+type"])("is always said in %s", (dialect) => {
    expect(printEvent(dialect, { statusUpdate })).toMatchObject([{ final: false }]);
    expect(printEvent(dialect, { statusUpdate }, { final: true })).toMatchObject([{ final: true }]);
  });

  it("is said in the REST forms of 0.3, by the proto only when it is true", () => {
    const print = (dialect: Dialect, final: boolean) =>
      (printEvent(dialect, { statusUpdate }, { final })[0] as JsonObject)["statusUpdate"];
    expect(print("0.3-schema", false)).toHaveProperty("final", false);
    expect(print("0.3-schema", true)).toHaveProperty("final", true);
    expect(print("0.3-proto", false)).not.toHaveProperty("final");
    expect(print("0.3-proto", true)).toHaveProperty("final", true);
  });

  it("is never said in 1.0", () => {
    expect(printEvent("1.0", { statusUpdate }, { final: true })).toStrictEqual([{ statusUpdate }]);
  });

  it("is not kept of what a peer says", () => {
    const wire = {
      kind: "status-update",
      ...statusUpdate,
      status: { state: "working" },
      final: true,
    };
    expect(readEvent("0.3", wire)).toStrictEqual({ statusUpdate });
  });

  it.each<[TaskState, boolean, boolean]>([
    ["TASK_STATE_SUBMITTED", false, false],
    ["TASK_STATE_WORKING", false, false],
    ["TASK_STATE_AUTH_REQUIRED", false, false],
    ["TASK_STATE_INPUT_REQUIRED", true, false],
    ["TASK_STATE_COMPLETED", true, true],
    ["TASK_STATE_FAILED", true, true],
    ["TASK_STATE_CANCELED", true, true],
    ["TASK_STATE_REJECTED", true, true],
  ])("at %s is for a send %s and for a subscription %s", (state, send, subscription) => {
    expect(endsStream("sendStreamingMessage", state)).toBe(send);
    expect(endsStream("subscribeToTask", state)).toBe(subscription);
  });
});

describe("C23 result of a send", () => {
  const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] } as const;
  const task = { id: "t1", contextId: "c1", status };
  const request = { message: { ...message, taskId: "t1" } };
  const wireMessage = { kind: "message", messageId: "m", role: "agent" };
  const wireTask = {
    kind: "task",
    id: "t1",
    contextId: "c1",
    status: { state: "working" },
  };

  it.each<[Dialect, JsonObject, JsonObject]>([
    [
      "0.1",
      { id: "t1", sessionId: "c1", status: { state: "working" } },
      {
        id: "t1",
        status: {
          state: "completed",
          message: { role: "agent", parts: [{ type: "text", text: "hi" }] },
        },
        artifacts: [
          { parts: [{ type: "text", text: "hi" }], index: 0, append: false, lastChunk: true },
        ],
      },
    ],
    ["0.3", wireTask, { ...wireMessage, parts: [{ kind: "text", text: "hi" }] }],
    ["0.3+type", wireTask, { ...wireMessage, parts: [{ kind: "text", type: "text", text: "hi" }] }],
    [
      "0.3-schema",
      { task: wireTask },
      { message: { ...wireMessage, parts: [{ kind: "text", text: "hi" }] } },
    ],
    [
      "0.3-proto",
      { task },
      { message: { messageId: "m", role: "ROLE_AGENT", content: [{ text: "hi" }] } },
    ],
    ["1.0", { task }, { message }],
  ])("is in %s a task or a message as that version has them", (dialect, forTask, forMessage) => {
    verifies("jsonrpc:send-result");
    const { sendMessage } = codecs[dialect].encodeResult;
    expect(sendMessage({ task }, request)).toStrictEqual(forTask);
    expect(sendMessage({ message }, request)).toStrictEqual(forMessage);
  });

  it("is understood wrapped and bare", () => {
    expect(readResult("0.3", "sendMessage", wireTask)).toEqual({ task });
    expect(readResult("0.3", "sendMessage", { task: wireTask })).toEqual({ task });
    expect(
      readResult("0.3", "sendMessage", { msg: { ...wireMessage, parts: [{ text: "hi" }] } }),
    ).toEqual({ message });
  });
});

describe("C35 fields of a server-sent event", () => {
  const frame = (result: object) => JSON.stringify({ jsonrpc: "2.0", id: "req-004", result });
  const working = frame({ kind: "status-update", ...statusUpdate, status: { state: "working" } });
  const failure = JSON.stringify({
    jsonrpc: "2.0",
    id: "req-004",
    error: { code: -32603, message: "Internal error", data: { details: "cut off" } },
  });

  it.each<[string, readonly string[]]>([
    [
      "as seed 0 prints them",
      [`id: 1704067201000\nevent: message\ndata: ${working}`, `event: error\ndata: ${failure}`],
    ],
    ["as seed 4 prints them", [`data: ${working}`, `data: ${failure}`]],
  ])("are understood %s, by the data alone", (_, events) => {
    const read = events.map((event) => {
      const response = parseJsonRpcResponse(parseJson(dataOf(event)), "req-004");
      return "result" in response
        ? readEvent("0.3", response.result)
        : codecs["0.3"].decodeJsonRpcError(response.error).code;
    });
    expect(read).toEqual([{ statusUpdate }, "INTERNAL"] satisfies [StreamResponse, string]);
  });
});

/** The data field of one server-sent event. */
function dataOf(event: string): string {
  return event
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice("data: ".length))
    .join("\n");
}
