import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/protocol/internal.js";
import type { JsonObject, TaskPushNotificationConfig } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import { readRequest, refusal } from "./read.js";

const url = "https://client.example/hook";
const create = "createTaskPushNotificationConfig";

describe("C4 result of setting a webhook", () => {
  const stored = { taskId: "t1", id: "t1", url, token: "k" };

  it.each<[Dialect, JsonObject]>([
    ["0.1", { id: "t1", pushNotificationConfig: { url, token: "k" } }],
    ["0.3", { taskId: "t1", pushNotificationConfig: { id: "t1", url, token: "k" } }],
    [
      "0.3-proto",
      {
        name: "tasks/t1/pushNotificationConfigs/t1",
        pushNotificationConfig: { id: "t1", url, token: "k" },
      },
    ],
    ["1.0", stored],
  ])("is the configuration and nothing else in %s", (dialect, wire) => {
    const request = { taskId: "t1", url, token: "k" };
    expect(codecs[dialect].encodeResult[create](stored, request)).toStrictEqual(wire);
  });

  it("says success too to callers that register headers", () => {
    const headers = { "X-Custom-Header": "value" };
    const request = readRequest("0.3", create, {
      taskId: "t1",
      pushNotificationConfig: { url, headers },
    });
    expect(codecs["0.3"].encodeResult[create]({ ...request, id: "t1" }, request)).toStrictEqual({
      taskId: "t1",
      pushNotificationConfig: { id: "t1", url, headers },
      success: true,
    });
  });
});

describe("C5 authentication at a webhook", () => {
  const bearer = { scheme: "Bearer", credentials: "s" };

  it.each<[string, Dialect, JsonObject, object]>([
    ["schemes", "0.1", { authentication: { schemes: ["Bearer"], credentials: "s" } }, bearer],
    ["schemes", "0.3", { authentication: { schemes: ["Bearer"], credentials: "s" } }, bearer],
    ["headers", "0.3", { headers: { Authorization: "Bearer s" } }, bearer],
    ["headers in lower case", "0.3", { headers: { authorization: "Bearer s" } }, bearer],
    [
      "authentication before headers",
      "0.3",
      { authentication: { schemes: ["Basic"] }, headers: { Authorization: "Bearer s" } },
      { scheme: "Basic" },
    ],
    [
      "several schemes, all remembered",
      "0.3",
      { authentication: { schemes: ["Bearer", "Basic"], credentials: "s" } },
      { ...bearer, schemes: ["Bearer", "Basic"] },
    ],
  ])("is read from %s in %s", (_, dialect, config, expected) => {
    const params = { id: "t1", taskId: "t1", pushNotificationConfig: { url, ...config } };
    expect(readRequest(dialect, create, params).authentication).toStrictEqual(expected);
  });

  it.each<[string, JsonObject]>([
    ["a scheme", { scheme: "Bearer", credentials: "s" }],
    ["schemes, as seed 4 has them", { schemes: ["Bearer"], credentials: "s" }],
  ])("is read from %s in 1.0", (_, authentication) => {
    const params = { taskId: "t1", url, authentication };
    expect(readRequest("1.0", create, params).authentication).toStrictEqual(bearer);
  });

  it("needs a scheme", () => {
    verifies("push:scheme-required");
    const params = { taskId: "t1", url, authentication: { credentials: "s" } };
    const error = refusal(() => readRequest("1.0", create, params));
    expect(error.code).toBe("INVALID_PARAMS");
    expect(error.details.fieldViolations?.[0]?.field).toBe("authentication.scheme");
  });

  it("gives each version what it registered, and 1.0 one scheme without headers", () => {
    verifies("push:flat-config");
    const config: TaskPushNotificationConfig = {
      taskId: "t1",
      id: "p1",
      url,
      token: "k",
      authentication: { ...bearer, schemes: ["Bearer", "Basic"] },
      headers: { "X-Custom-Header": "value" },
    };
    const schemes = { schemes: ["Bearer", "Basic"], credentials: "s" };
    const print = (dialect: Dialect) =>
      codecs[dialect].encodeResult.getTaskPushNotificationConfig(config, { taskId: "t1" });
    expect(print("0.1")).toStrictEqual({
      id: "t1",
      pushNotificationConfig: { url, token: "k", authentication: schemes },
    });
    expect(print("0.3")).toStrictEqual({
      taskId: "t1",
      pushNotificationConfig: {
        id: "p1",
        url,
        token: "k",
        authentication: schemes,
        headers: { "X-Custom-Header": "value" },
      },
    });
    expect(print("1.0")).toStrictEqual({
      taskId: "t1",
      id: "p1",
      url,
      token: "k",
      authentication: bearer,
    });
  });
});

describe("C6 lookup of a webhook", () => {
  const get = "getTaskPushNotificationConfig";

  it.each<Dialect>(["0.1", "0.3", "0.3+type", "0.3-schema", "0.3-proto"])(
    "needs the task alone in %s",
    (dialect) => {
      expect(readRequest(dialect, get, { id: "t1" })).toEqual({ taskId: "t1" });
    },
  );

  it.each<Dialect>(["0.3", "0.3-schema", "0.3-proto"])("may name one in %s", (dialect) => {
    const params = { id: "t1", pushNotificationConfigId: "p1" };
    expect(readRequest(dialect, get, params)).toEqual({ taskId: "t1", id: "p1" });
  });

  it("must name one in 1.0, where id means the configuration", () => {
    const params = { taskId: "t1", id: "p1" };
    expect(readRequest("1.0", get, params)).toEqual({ taskId: "t1", id: "p1" });
    const error = refusal(() => readRequest("1.0", get, { taskId: "t1" }));
    expect(error.details.fieldViolations).toMatchObject([{ field: "id" }]);
    const mistaken = refusal(() => readRequest("1.0", get, { id: "t1" }));
    expect(mistaken.details.fieldViolations).toMatchObject([{ field: "taskId" }]);
  });
});

describe("C34 details of an error", () => {
  const details = { metadata: { taskId: "t1" }, retryAfterSeconds: 300 };
  const error = new A2AError("TASK_NOT_FOUND", "there is no task t1", { details });

  it.each<[Dialect, JsonObject]>([
    [
      "0.1",
      {
        code: -32001,
        message: "Task not found",
        data: {
          taskId: "t1",
          reason: "TASK_NOT_FOUND",
          retryAfter: 300,
          details: "there is no task t1",
        },
      },
    ],
    [
      "0.3",
      {
        code: -32001,
        message: "Task not found",
        data: {
          taskId: "t1",
          reason: "TASK_NOT_FOUND",
          retryAfter: 300,
          details: "there is no task t1",
        },
      },
    ],
    [
      "1.0",
      {
        code: -32001,
        message: "Task not found: there is no task t1",
        data: [
          {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            reason: "TASK_NOT_FOUND",
            domain: "a2a-protocol.org",
            metadata: { taskId: "t1" },
          },
          { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "300s" },
        ],
      },
    ],
  ])("are in %s what that version has room for", (dialect, wire) => {
    verifies("jsonrpc:error-data", "error:detail-type");
    expect(codecs[dialect].encodeJsonRpcError(error)).toStrictEqual(wire);
    const read = codecs[dialect].decodeJsonRpcError(wire);
    expect(read).toMatchObject({
      code: "TASK_NOT_FOUND",
      message: expect.stringContaining("there is no task t1") as string,
      details,
    });
  });

  it.each<[string, JsonObject, object]>([
    ["seed 0", { details: "Stream terminated unexpectedly" }, {}],
    ["seed 3", { taskId: "t1", details: "Task may have expired", retryAfter: 300 }, details],
  ])("are read from the data of %s", (_, data, expected) => {
    const read = codecs["0.3"].decodeJsonRpcError({ code: -32001, message: "no", data });
    expect(read.code).toBe("TASK_NOT_FOUND");
    expect(read.message).toBe(data["details"]);
    expect(read.details).toEqual(expected);
  });
});

describe("C39 body of a notification", () => {
  const status = { state: "TASK_STATE_COMPLETED" } as const;
  const event = { statusUpdate: { taskId: "t1", contextId: "c1", status } };
  const task = { id: "t1", contextId: "c1", status };
  const wireTask = { kind: "task", id: "t1", contextId: "c1", status: { state: "completed" } };

  const wireUpdate = { kind: "status-update", taskId: "t1", contextId: "c1" };

  it.each<[Dialect, string, JsonObject]>([
    [
      "0.1",
      "application/json",
      {
        eventType: "taskUpdate",
        taskId: "t1",
        id: "t1",
        sessionId: "c1",
        status: { state: "completed" },
      },
    ],
    ["0.3", "application/json", wireTask],
    ["0.3+type", "application/json", wireTask],
    [
      "0.3-schema",
      "application/json",
      { statusUpdate: { ...wireUpdate, status: { state: "completed" }, final: true } },
    ],
    ["0.3-proto", "application/json", task],
    ["1.0", "application/a2a+json", event],
  ])("is that of %s when it was registered there", (dialect, contentType, body) => {
    verifies("push:payload", "push:content-type");
    expect(codecs[dialect].encodePushPayload(event, task)).toStrictEqual({ contentType, body });
  });
});
