import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import type { Operation } from "../../protocol/internal.js";
import type { Dialect } from "../dialect.js";
import { detectRest } from "./detect-rest.js";
import type { RestCall } from "./detect-rest.js";

type Options = Partial<Omit<RestCall, "query">> & { query?: string };

function detect(route: string, { query = "", ...options }: Options = {}) {
  const [httpMethod = "", path = ""] = route.split(" ");
  return detectRest({
    httpMethod,
    path,
    query: new URLSearchParams(query),
    version: undefined,
    body: undefined,
    ...options,
  });
}

const schemaBody = { message: { role: "user", parts: [{ kind: "text", text: "a" }] } };
const protoBody = { message: { role: "ROLE_USER", content: [{ text: "a" }] } };

describe("the dialect of a path", () => {
  it.each([undefined, "", "0.1", "0.2", "0.3", "0.3.0"])(
    "under /v1 is 0.3 in version %j, its spelling that of the body",
    (version) => {
      for (const route of ["POST /v1/message:send", "POST /v1/message:stream"]) {
        const asSchema = detect(route, { version, body: schemaBody });
        expect(asSchema).toMatchObject({ dialect: "0.3-schema", needsCreatedIn: false });
        const asProto = detect(route, { version, body: protoBody });
        expect(asProto).toMatchObject({ dialect: "0.3-proto", needsCreatedIn: false });
      }
    },
  );

  it.each([
    ["POST /message:send", undefined],
    ["GET /tasks", "1.0"],
    ["GET /extendedAgentCard", "1.0.1"],
    ["POST /acme/message:send", undefined],
    ["POST /tasks/list", undefined],
  ])("of %s is 1.0 in version %j", (route, version) => {
    expect(detect(route, { version })).toMatchObject({ dialect: "1.0", needsCreatedIn: false });
  });

  it.each(["GET /v1/card", "GET /agent/authenticatedExtendedCard"])(
    "of %s is that of the card of 0.3",
    (route) => {
      for (const version of [undefined, "0.2", "0.3"]) {
        expect(detect(route, { version })).toEqual({
          operation: "getExtendedAgentCard",
          dialect: "0.3-schema",
          needsCreatedIn: false,
          params: {},
        });
      }
    },
  );

  it.each([
    ["GET /v1/tasks/t1", "1.0", "0.1, 0.2, 0.3"],
    ["GET /v1/card", "1.0", "0.1, 0.2, 0.3"],
    ["GET /agent/authenticatedExtendedCard", "1.0", "0.1, 0.2, 0.3"],
    ["GET /tasks/t1", "0.3", "1.0"],
    ["GET /acme/tasks/t1", "0.1", "1.0"],
    ["DELETE /tasks/t1", "0.3", "1.0"],
  ])("of %s is not to be had in version %s", (route, version, supportedVersions) => {
    verifies("version:unsupported");
    expect(detect(route, { version })).toEqual({
      error: expect.objectContaining({
        code: "VERSION_NOT_SUPPORTED",
        details: { metadata: { requestedVersion: version, supportedVersions } },
      }),
      dialect: "1.0",
    });
  });

  it("is not 1.0 without a version when that is strictly not allowed", () => {
    expect(detect("GET /tasks", { strict: true })).toEqual({
      error: expect.objectContaining({
        code: "VERSION_NOT_SUPPORTED",
        message:
          'without A2A-Version the version is 0.3, which has no path "/tasks"; supported here: 1.0',
      }),
      dialect: "1.0",
    });
    expect(detect("GET /v1/tasks", { strict: true })).toMatchObject({
      operation: "listTasks",
    });
  });

  it("under /v1 is 1.0 for a tenant of that name", () => {
    const hasTenant = (name: string) => name === "v1";
    expect(detect("GET /v1/tasks/t1", { version: "1.0", hasTenant })).toEqual({
      operation: "getTask",
      dialect: "1.0",
      needsCreatedIn: false,
      params: { id: "t1", tenant: "v1" },
    });
    expect(detect("GET /v1/tasks/t1", { hasTenant })).toMatchObject({ dialect: "0.3-proto" });
    const without = { version: "1.0", hasTenant: () => false };
    expect(detect("GET /v1/tasks/t1", without)).toMatchObject({
      error: { code: "VERSION_NOT_SUPPORTED" },
    });
  });
});

describe("the origin of a task", () => {
  const routes: [string, Operation][] = [
    ["GET /v1/tasks/t1", "getTask"],
    ["POST /v1/tasks/t1:cancel", "cancelTask"],
    ["GET /v1/tasks/t1:subscribe", "subscribeToTask"],
    ["POST /v1/tasks/t1/pushNotificationConfigs", "createTaskPushNotificationConfig"],
    ["GET /v1/tasks/t1/pushNotificationConfigs/c1", "getTaskPushNotificationConfig"],
    ["GET /v1/tasks/t1/pushNotificationConfigs", "listTaskPushNotificationConfigs"],
    ["DELETE /v1/tasks/t1/pushNotificationConfigs/c1", "deleteTaskPushNotificationConfig"],
  ];

  it.each(routes)("decides the spelling of %s", (route, operation) => {
    const unknown = { operation, dialect: "0.3-proto", needsCreatedIn: true };
    expect(detect(route)).toMatchObject(unknown);
    const origins: [Dialect, Dialect][] = [
      ["0.3-schema", "0.3-schema"],
      ["0.3-proto", "0.3-proto"],
      ["0.3", "0.3-proto"],
      ["1.0", "0.3-proto"],
    ];
    for (const [createdIn, dialect] of origins) {
      expect(detect(route, { createdIn })).toMatchObject({
        operation,
        dialect,
        needsCreatedIn: false,
      });
    }
  });

  it.each(["GET /v1/tasks", "GET /tasks/t1"])("does not matter to %s", (route) => {
    expect(detect(route)).toMatchObject({ needsCreatedIn: false });
  });
});

describe("the parameters of a request", () => {
  it.each<[string, Options, object]>([
    ["GET /tasks/t1", { query: "historyLength=5" }, { id: "t1", historyLength: "5" }],
    ["GET /v1/tasks/t1", { query: "history_length=5" }, { id: "t1", historyLength: "5" }],
    ["GET /acme/tasks", { query: "pageSize=2" }, { tenant: "acme", pageSize: "2" }],
    ["GET /tasks", { query: "tenant=acme&A2A-Version=1.0" }, { tenant: "acme" }],
    ["GET /tasks?", { body: { pageSize: 1 } }, {}],
    ["POST /tasks/list", { body: { pageSize: 1 } }, { pageSize: 1 }],
    ["POST /tasks/t1:cancel", { body: { id: "t2", metadata: {} } }, { id: "t1", metadata: {} }],
    ["POST /tasks/t1:cancel", { body: { id: "t2" }, query: "id=t3" }, { id: "t1" }],
    [
      "POST /tasks/list",
      { body: { a: 1, pageSize: 1 }, query: "pageSize=2" },
      { a: 1, pageSize: "2" },
    ],
    ["POST /message:send", { body: { a: 1 }, query: "message=b&a=2" }, { a: 1 }],
    [
      "POST /tasks/t1/pushNotificationConfigs",
      { body: { id: "c1", url: "https://a.example" } },
      { taskId: "t1", id: "c1", url: "https://a.example" },
    ],
    ["POST /acme/message:send", { body: { tenant: "acme" } }, { tenant: "acme" }],
    ["POST /acme/message:send", { body: { tenant: "" } }, { tenant: "acme" }],
    ["POST /message:send", { body: { tenant: "acme" }, query: "tenant=" }, { tenant: "acme" }],
  ])("of %s with %j are %j", (route, options, params) => {
    expect(detect(route.replace("?", ""), options)).toMatchObject({ params });
    const detected = detect(route.replace("?", ""), options);
    expect("params" in detected && detected.params).toEqual(params);
  });

  it("are the body itself when path and query add nothing", () => {
    const body = { message: {} };
    const detected = detect("POST /message:send", { body });
    expect("params" in detected && detected.params).toBe(body);
  });

  it.each(["POST /tasks/t1:cancel", "POST /tasks/t1:subscribe", "POST /v1/tasks/t1:cancel"])(
    "of %s need no body",
    (route) => {
      for (const body of [undefined, null, {}]) {
        expect(detect(route, { body })).toMatchObject({ params: { id: "t1" } });
      }
    },
  );

  it.each<[string, Options, string]>([
    ["a tenant in path and body", { body: { tenant: "other" } }, "tenant"],
    ["a tenant in path and query", { query: "tenant=other" }, "tenant"],
    ["a tenant that is a number", { body: { tenant: 1 } }, "tenant"],
    ["an array for a body", { body: [] }, ""],
    ["a string for a body", { body: "text" }, ""],
    ["a parameter twice", { query: "id=1&id=2" }, "id"],
  ])("are refused with %s", (_, options, field) => {
    expect(detect("POST /acme/message:send", options)).toEqual({
      error: expect.objectContaining({
        code: "INVALID_PARAMS",
        details: { fieldViolations: [expect.objectContaining({ field })] },
      }),
      dialect: "1.0",
    });
  });
});

describe("a path that is not served", () => {
  it.each([
    ["GET /other", undefined, "1.0"],
    ["GET /other", "0.3", "1.0"],
    ["GET /v1/other", undefined, "0.3-proto"],
    ["GET /v1/other", "1.0", "1.0"],
    ["GET /tasks/%", undefined, "1.0"],
  ])("is not found: %s in version %j", (route, version, dialect) => {
    const refused = detect(route, { version });
    expect(refused).toEqual({
      error: expect.objectContaining({ code: "METHOD_NOT_FOUND", details: {} }),
      dialect,
    });
  });

  it("with one method tells the others", () => {
    expect(detect("DELETE /tasks/t1:subscribe")).toEqual({
      error: expect.objectContaining({
        code: "METHOD_NOT_FOUND",
        message: '"/tasks/t1:subscribe" does not accept "DELETE"; it accepts GET, POST',
      }),
      dialect: "1.0",
      allowed: ["GET", "POST"],
    });
    expect(detect("GET /v1/message:send")).toMatchObject({
      dialect: "0.3-proto",
      allowed: ["POST"],
    });
  });

  it("is refused for its version first", () => {
    expect(detect("GET /other", { version: "1.1" })).toMatchObject({
      error: { code: "VERSION_NOT_SUPPORTED" },
    });
  });
});
