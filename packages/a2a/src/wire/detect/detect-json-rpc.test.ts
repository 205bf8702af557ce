import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { operations } from "../../protocol/internal.js";
import type { Operation } from "../../protocol/internal.js";
import type { Dialect } from "../dialect.js";
import { methods as oldestMethods } from "../v0.1/methods.js";
import { methods as slashMethods } from "../v0.3/methods.js";
import { methods } from "../v1.0/methods.js";
import { detectJsonRpc, usesTypeParts } from "./detect-json-rpc.js";
import type { JsonRpcCall } from "./detect-json-rpc.js";

function detect(method: string, call: Partial<JsonRpcCall> = {}) {
  return detectJsonRpc({ method, params: undefined, version: undefined, ...call });
}

const send = (...parts: object[]) => ({ message: { role: "user", parts } });

describe("a method name", () => {
  it("exists in 1.0 for every operation", () => {
    verifies("jsonrpc:method-names");
    for (const operation of operations) {
      expect(methods[operation]).toBe(`${operation[0]?.toUpperCase()}${operation.slice(1)}`);
      expect(detect(methods[operation])).toEqual({
        operation,
        dialect: "1.0",
        needsCreatedIn: false,
      });
    }
  });

  it.each<[string, Operation, Dialect]>([
    ["tasks/send", "sendMessage", "0.1"],
    ["tasks/sendSubscribe", "sendStreamingMessage", "0.1"],
    ["tasks/pushNotification/set", "createTaskPushNotificationConfig", "0.1"],
    ["tasks/pushNotification/get", "getTaskPushNotificationConfig", "0.1"],
    ["message/send", "sendMessage", "0.3"],
    ["message/stream", "sendStreamingMessage", "0.3"],
    ["tasks/pushNotificationConfig/set", "createTaskPushNotificationConfig", "0.3"],
    ["tasks/pushNotificationConfig/get", "getTaskPushNotificationConfig", "0.3"],
    ["tasks/pushNotificationConfig/list", "listTaskPushNotificationConfigs", "0.3"],
    ["tasks/pushNotificationConfig/delete", "deleteTaskPushNotificationConfig", "0.3"],
    ["agent/getAuthenticatedExtendedCard", "getExtendedAgentCard", "0.3"],
  ])("%s means %s in %s, in whatever version before 1.0", (method, operation, dialect) => {
    const table = dialect === "0.1" ? oldestMethods : slashMethods;
    expect(table[operation]).toBe(method);
    for (const version of [undefined, "0.1", "0.2", "0.2.6", "0.3"]) {
      expect(detect(method, { version })).toEqual({ operation, dialect, needsCreatedIn: false });
    }
  });

  it.each<[string, Operation, Dialect]>([
    ["agent/authenticatedExtendedCard", "getExtendedAgentCard", "0.3"],
    ["tasks/list", "listTasks", "0.3"],
    ["tasks/subscribe", "subscribeToTask", "0.3"],
    ["ListTaskPushNotificationConfig", "listTaskPushNotificationConfigs", "1.0"],
  ])("%s is understood as %s in %s, though nobody is sent it", (method, operation, dialect) => {
    expect(detect(method)).toEqual({ operation, dialect, needsCreatedIn: false });
    const sent = [methods, slashMethods, oldestMethods].flatMap((table) => Object.values(table));
    expect(sent).not.toContain(method);
  });

  it.each([
    ["nonexistent/method", undefined, "0.3"],
    ["constructor", undefined, "0.3"],
    ["NoSuchMethod", undefined, "1.0"],
    ["nonexistent/method", "1.0", "1.0"],
    ["NoSuchMethod", "0.3", "1.0"],
    [`\u0000${"x".repeat(10_000)}`, undefined, "0.3"],
  ])("that is unknown is refused without details: %.40s in %s", (method, version, dialect) => {
    expect(detect(method, { version })).toEqual({
      error: expect.objectContaining({
        code: "METHOD_NOT_FOUND",
        message: expect.stringMatching(/^there is no method ".{1,80}"$/),
        details: {},
      }),
      dialect,
    });
  });

  it.each([
    ["sendMessage", undefined, "SendMessage"],
    ["SendMesage", "1.0", "SendMessage"],
    ["GetTasks", "1.0", "GetTask"],
    ["send_streaming_message", "1.0", "SendStreamingMessage"],
    ["Message/Send", "0.3", "message/send"],
    ["tasks/pushNotificationConfigs/get", "0.3", "tasks/pushNotificationConfig/get"],
    ["tasks/sendSubscribed", "0.1", "tasks/sendSubscribe"],
  ])(
    "that is misspelt is refused with the one that is meant: %s in %s",
    (method, version, meant) => {
      expect(detect(method, { version })).toMatchObject({
        error: {
          code: "METHOD_NOT_FOUND",
          message: `there is no method "${method}"; did you mean "${meant}"?`,
        },
      });
    },
  );

  it("that is long is compared with none", () => {
    expect(detect(`SendMessage${"!".repeat(60)}`)).toMatchObject({
      error: { message: expect.not.stringContaining("did you mean") as string },
    });
  });
});

describe("the version of a request", () => {
  it.each([
    [
      "1.0",
      "message/send",
      'version 1.0 has no method "message/send"; did you mean "SendMessage"?',
    ],
    ["1.0", "tasks/get", 'version 1.0 has no method "tasks/get"; did you mean "GetTask"?'],
    ["1.0", "tasks/send", 'version 1.0 has no method "tasks/send"; did you mean "SendMessage"?'],
    ["0.3", "SendMessage", 'version 0.3 has no method "SendMessage"; did you mean "message/send"?'],
    ["0.1", "GetTask", 'version 0.1 has no method "GetTask"; did you mean "tasks/get"?'],
    ["0.2", "SendMessage", 'version 0.2 has no method "SendMessage"; did you mean "message/send"?'],
    ["0.1", "ListTasks", 'version 0.1 has no method "ListTasks"'],
  ])("%s contradicts the method %s", (version, method, message) => {
    expect(detect(method, { version })).toEqual({
      error: expect.objectContaining({ code: "METHOD_NOT_FOUND", message, details: {} }),
      dialect: "1.0",
    });
  });

  it("is taken as 1.0 from a method of 1.0 alone, unless that is strictly not allowed", () => {
    verifies("version:absent");
    expect(detect("SendMessage")).toMatchObject({ dialect: "1.0", operation: "sendMessage" });
    expect(detect("message/send", { strict: true })).toMatchObject({ dialect: "0.3" });
    expect(detect("SendMessage", { strict: true })).toEqual({
      error: expect.objectContaining({
        code: "VERSION_NOT_SUPPORTED",
        details: { metadata: { requestedVersion: "0.3", supportedVersions: "1.0" } },
      }),
      dialect: "1.0",
    });
  });

  it.each([
    ["SendMessage", "0.5", "1.0"],
    ["SendMessage", "garbage", "1.0"],
    ["message/send", "1.1", "1.0"],
    ["message/send", "1", "1.0"],
    ["message/send", "99.0", "1.0"],
    ["message/send", "0.5", "0.3"],
    ["message/send", "garbage", "0.3"],
    ["tasks/send", "0.5", "0.3"],
    ["tasks/get", "0.5", "0.3"],
    ["nonexistent/method", "0.5", "0.3"],
  ])("that is not served is refused to %s %s in the spelling of %s", (method, version, dialect) => {
    verifies("version:unsupported");
    expect(detect(method, { version })).toEqual({
      error: expect.objectContaining({ code: "VERSION_NOT_SUPPORTED" }),
      dialect,
    });
  });
});

describe("params", () => {
  it.each([
    ["keyed by kind", [{ kind: "text", text: "a" }], "0.3"],
    ["bare", [{ text: "a" }], "0.3"],
    ["keyed by type", [{ type: "text", text: "a" }], "0.3+type"],
    ["keyed by type, some bare", [{ text: "a" }, { type: "text", text: "a" }], "0.3+type"],
    ["keyed by both", [{ type: "text", kind: "text", text: "a" }], "0.3"],
    ["keyed by one and the other", [{ type: "text" }, { kind: "text" }], "0.3"],
    ["keyed by type, the kind null", [{ type: "text", kind: null }], "0.3+type"],
  ])("whose parts are %s", (_, parts, dialect) => {
    const params = send(...parts);
    expect(detect("message/send", { params })).toMatchObject({ dialect });
    expect(detect("message/stream", { params, version: "0.2" })).toMatchObject({ dialect });
    expect(detect("tasks/send", { params })).toMatchObject({ dialect: "0.1" });
    expect(usesTypeParts(params)).toBe(dialect === "0.3+type");
  });

  it.each([undefined, null, "text", [], {}, { message: [] }, { message: { parts: {} } }])(
    "without a list of parts use no type: %j",
    (params) => {
      expect(usesTypeParts(params)).toBe(false);
    },
  );

  it("may hold parts that are no objects, for the codec to refuse", () => {
    expect(usesTypeParts({ message: { parts: [null, "text", 1] } })).toBe(false);
  });

  it.each([
    ["SendMessage", "not_a_dict", "1.0", "a string"],
    ["message/send", ["a"], "0.3", "an array"],
    ["tasks/send", 1, "0.1", "a number"],
  ])("of %s that are no object are refused in its dialect", (method, params, dialect, found) => {
    const description = `expected an object, got ${found}`;
    expect(detect(method, { params })).toEqual({
      error: expect.objectContaining({
        code: "INVALID_PARAMS",
        details: { fieldViolations: [{ field: "params", description }] },
      }),
      dialect,
    });
  });
});

describe.each([
  ["tasks/get", "getTask"],
  ["tasks/cancel", "cancelTask"],
  ["tasks/resubscribe", "subscribeToTask"],
])("%s, which 0.1 and 0.3 share,", (method, operation) => {
  it("is 0.3 as long as nothing is known of its task", () => {
    for (const version of [undefined, "", "0.2", "0.3"]) {
      expect(detect(method, { version })).toEqual({
        operation,
        dialect: "0.3",
        needsCreatedIn: true,
      });
    }
  });

  it.each<[Dialect]>([["0.1"], ["0.1+0.3"]])(
    "follows a task created in %s to both, unless the caller names 0.3",
    (createdIn) => {
      const detected = detect(method, { createdIn });
      expect(detected).toEqual({ operation, dialect: "0.1+0.3", needsCreatedIn: false });
      for (const version of ["0.2", "0.3"]) {
        expect(detect(method, { version, createdIn })).toMatchObject({ dialect: "0.3" });
      }
    },
  );

  it.each<[Dialect, Dialect]>([
    ["0.3+type", "0.3+type"],
    ["0.3", "0.3"],
    ["0.3-proto", "0.3"],
    ["0.3-schema", "0.3"],
    ["1.0", "0.3"],
  ])("follows a task created in %s to %s", (createdIn, dialect) => {
    for (const version of [undefined, "0.2", "0.3"]) {
      const detected = detect(method, { version, createdIn });
      expect(detected).toEqual({ operation, dialect, needsCreatedIn: false });
    }
  });

  it("is answered in both when 0.1 is asked for, whatever the task", () => {
    for (const createdIn of [undefined, "0.3"] as const) {
      const call = { version: "0.1", ...(createdIn && { createdIn }) };
      expect(detect(method, call)).toEqual({
        operation,
        dialect: "0.1+0.3",
        needsCreatedIn: false,
      });
    }
  });
});
