import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import { detectMethod, detectPath, readEvent, readRequest, readResult, refusal } from "./read.js";

const text = { kind: "text", text: "hi" };
const url = "https://client.example/hook";

describe("a message without a role", () => {
  const message = { messageId: "m1", parts: [text] };

  it.each<Dialect>(["0.1", "0.3", "0.3+type", "0.3-schema", "0.3-proto"])(
    "is the user's in a request of %s",
    (dialect) => {
      const params = { id: "t1", message };
      expect(readRequest(dialect, "sendMessage", params).message.role).toBe("ROLE_USER");
    },
  );

  it.each<Dialect>(["0.3", "0.3+type", "0.3-schema", "0.3-proto", "1.0"])(
    "is the agent's in an answer of %s",
    (dialect) => {
      const event = readEvent(dialect, { message });
      expect(event.message?.role).toBe("ROLE_AGENT");
    },
  );

  it("is refused in a request of 1.0", () => {
    verifies("message:role-required");
    const error = refusal(() => readRequest("1.0", "sendMessage", { message }));
    expect(codecs["1.0"].encodeJsonRpcError(error)).toMatchObject({
      code: -32602,
      data: [{ reason: "INVALID_PARAMS" }, { fieldViolations: [{ field: "message.role" }] }],
    });
  });
});

describe("a message without a kind", () => {
  it("is read as every document prints it", () => {
    const message = { messageId: "m1", role: "user", parts: [text] };
    expect(readRequest("0.3", "sendMessage", { message })).toEqual({
      message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] },
    });
  });
});

describe("members of the protos before 0.2.6", () => {
  const content = [{ text: "hi" }];

  it("are read: request in place of message", () => {
    const body = { request: { message_id: "m1", role: "ROLE_USER", context_id: "c1", content } };
    const { dialect, operation, params } = detectPath("POST /v1/message:send", { body });
    expect(dialect).toBe("0.3-proto");
    expect(readRequest(dialect, operation, params)).toEqual({
      message: { messageId: "m1", role: "ROLE_USER", contextId: "c1", parts: [{ text: "hi" }] },
    });
  });

  it("are read: msg in place of message, update in place of a status's message", () => {
    const message = { messageId: "m1", role: "ROLE_AGENT", content };
    const expected = { messageId: "m1", role: "ROLE_AGENT", parts: [{ text: "hi" }] };
    expect(readResult("0.3-proto", "sendMessage", { msg: message })).toEqual({ message: expected });
    const status = { state: "TASK_STATE_WORKING", update: message };
    expect(readResult("0.3-proto", "getTask", { id: "t1", status }).status.message).toEqual(
      expected,
    );
  });
});

describe("names in snake_case", () => {
  it.each<[string, string]>([
    ["GET /v1/tasks/t1?history_length=3", "0.3-proto"],
    ["GET /tasks/t1?history_length=3", "1.0"],
  ])("are read in the query of %s", (route, expected) => {
    const { dialect, operation, params } = detectPath(route);
    expect(dialect).toBe(expected);
    expect(readRequest(dialect, operation, params)).toEqual({ id: "t1", historyLength: 3 });
  });

  it("are read in a body of 1.0", () => {
    verifies("json:snake-case-input");
    const params = {
      message: {
        message_id: "m1",
        role: "ROLE_USER",
        context_id: "c1",
        reference_task_ids: ["t0"],
        parts: [{ raw: "aGk", media_type: "image/png" }],
      },
      configuration: {
        accepted_output_modes: ["text/plain"],
        return_immediately: true,
        task_push_notification_config: { url },
      },
    };
    expect(readRequest("1.0", "sendMessage", params)).toEqual({
      message: {
        messageId: "m1",
        role: "ROLE_USER",
        contextId: "c1",
        referenceTaskIds: ["t0"],
        parts: [{ raw: "aGk=", mediaType: "image/png" }],
      },
      configuration: {
        acceptedOutputModes: ["text/plain"],
        returnImmediately: true,
        taskPushNotificationConfig: { url },
      },
    });
  });
});

describe("a body of null", () => {
  it.each(["POST /v1/tasks/t1:cancel", "POST /v1/tasks/t1:subscribe", "POST /tasks/t1:cancel"])(
    "is no body for %s",
    (route) => {
      const { dialect, operation, params } = detectPath(route, { body: null });
      expect(readRequest(dialect, operation, params)).toEqual({ id: "t1" });
    },
  );
});

describe("a webhook set over the REST paths of 0.3", () => {
  const config = { id: "p1", url };

  it.each<[string, string, JsonObject]>([
    [
      "by resource name",
      "tasks/t1/pushNotificationConfigs",
      { name: "tasks/t1/pushNotificationConfigs/p1", pushNotificationConfig: config },
    ],
    ["as config", "tasks/t1/pushNotificationConfigs", { config }],
    [
      "as the proto's request",
      "tasks/t1/pushNotificationConfigs",
      { parent: "tasks/t1", configId: "p1", config: { pushNotificationConfig: { url } } },
    ],
    [
      "as in JSON-RPC",
      "tasks/t1/pushNotificationConfigs",
      { taskId: "t1", pushNotificationConfig: config },
    ],
    ["under a path in the singular", "task/t1/pushNotificationConfigs", { config }],
    ["under a path of 0.2", "tasks/t1/pushNotifications", { config }],
    [
      "for another task, which the path overrules",
      "tasks/t1/pushNotificationConfigs",
      { taskId: "t2", pushNotificationConfig: config },
    ],
  ])("is understood %s", (_, path, body) => {
    const { dialect, operation, params } = detectPath(`POST /v1/${path}`, { body });
    expect(operation).toBe("createTaskPushNotificationConfig");
    expect(readRequest(dialect, operation, params)).toEqual({ taskId: "t1", id: "p1", url });
  });
});

describe("a webhook in the nested forms of 1.0's candidate and samples", () => {
  it.each<[string, JsonObject]>([
    ["pushNotificationConfig", { taskId: "t1", pushNotificationConfig: { id: "p1", url } }],
    ["config", { taskId: "t1", configId: "p1", config: { url } }],
    [
      "config and its own nesting",
      { taskId: "t1", config: { pushNotificationConfig: { id: "p1", url } } },
    ],
    ["none", { taskId: "t1", id: "p1", url }],
  ])("is understood: %s", (_, params) => {
    verifies("push:flat-config");
    const read = readRequest("1.0", "createTaskPushNotificationConfig", params);
    expect(read).toEqual({ taskId: "t1", id: "p1", url });
  });

  it.each<JsonObject>([
    { taskId: "t1", id: "p1" },
    { taskId: "t1", pushNotificationConfigId: "p1" },
  ])("is found and deleted by %j", (params) => {
    const expected = { taskId: "t1", id: "p1" };
    expect(readRequest("1.0", "getTaskPushNotificationConfig", params)).toEqual(expected);
    expect(readRequest("1.0", "deleteTaskPushNotificationConfig", params)).toEqual(expected);
  });

  it("is refused without a url", () => {
    verifies("push:url-required");
    const error = refusal(() =>
      readRequest("1.0", "createTaskPushNotificationConfig", { taskId: "t1", id: "p1" }),
    );
    expect(codecs["1.0"].encodeJsonRpcError(error).code).toBe(-32602);
    expect(error.details.fieldViolations?.[0]?.field).toBe("url");
  });
});

describe("names that were never final", () => {
  it("are read: tasks/list with lastUpdatedAfter", () => {
    const params = { contextId: "c1", lastUpdatedAfter: "2026-01-02T03:04:05Z" };
    const { dialect, operation } = detectMethod("tasks/list", { params });
    expect({ dialect, operation }).toEqual({ dialect: "0.3", operation: "listTasks" });
    expect(readRequest(dialect, operation, params)).toEqual({
      contextId: "c1",
      statusTimestampAfter: "2026-01-02T03:04:05Z",
    });
    const page = { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 };
    expect(codecs[dialect].encodeResult.listTasks(page, {})).toEqual(page);
  });

  it("are read: tasks/subscribe", () => {
    expect(detectMethod("tasks/subscribe")).toEqual({
      operation: "subscribeToTask",
      dialect: "0.3",
    });
  });

  it("are read: POST /tasks/list with its filters in the body", () => {
    const body = { contextId: "c1", pageSize: 5 };
    const { dialect, operation, params } = detectPath("POST /tasks/list", { body });
    expect({ dialect, operation }).toEqual({ dialect: "1.0", operation: "listTasks" });
    expect(readRequest(dialect, operation, params)).toEqual(body);
  });
});

describe("limits of a list", () => {
  it.each([0, -1, 101, 1.5, "many"])("do not allow a page of %j tasks", (pageSize) => {
    verifies("list:page-size-range");
    const error = refusal(() => readRequest("1.0", "listTasks", { pageSize }));
    expect(codecs["1.0"].encodeJsonRpcError(error).code).toBe(-32602);
    expect(error.details.fieldViolations?.[0]?.field).toBe("pageSize");
  });

  it("keep artifacts out of a list unless they were asked for", () => {
    verifies("list:omit-artifacts", "list:include-artifacts");
    const task = { id: "t1", status: { state: "TASK_STATE_COMPLETED" } } as const;
    const artifacts = [{ artifactId: "a1", parts: [{ text: "x" }] }];
    const page = {
      tasks: [{ ...task, artifacts }, task],
      nextPageToken: "",
      pageSize: 2,
      totalSize: 2,
    };
    const { listTasks } = codecs["1.0"].encodeResult;
    expect(listTasks(page, {})).toStrictEqual({ ...page, tasks: [task, task] });
    expect(listTasks(page, { includeArtifacts: true })).toStrictEqual({
      ...page,
      tasks: [
        { ...task, artifacts },
        { ...task, artifacts: [] },
      ],
    });
  });
});

describe("members that nobody knows", () => {
  it("are ignored in every version", () => {
    verifies("json:unknown-members");
    const params = (role: string) => ({
      id: "t1",
      message: { messageId: "m1", role, parts: [{ ...text, shade: 1 }], mood: "good" },
      urgency: { level: 3 },
    });
    const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] };
    expect(readRequest("1.0", "sendMessage", params("ROLE_USER"))).toEqual({ message });
    expect(readRequest("0.3", "sendMessage", params("user"))).toEqual({ message });
    expect(readRequest("0.3-proto", "sendMessage", params("user"))).toEqual({ message });
    expect(readRequest("0.1", "sendMessage", params("user"))).toEqual({
      message: { ...message, taskId: "t1" },
    });
  });
});
