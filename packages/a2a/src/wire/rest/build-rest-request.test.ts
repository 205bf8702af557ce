import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { operations } from "../../protocol/internal.js";
import type { JsonObject, ProtocolOperation } from "../../protocol/internal.js";
import { detectRest } from "../detect/detect-rest.js";
import type { Dialect } from "../dialect.js";
import { buildRestRequest } from "./build-rest-request.js";
import { isReservedTenant } from "./served-routes.js";

const config = { url: "https://a.example/hook" };

describe("buildRestRequest", () => {
  verifies("rest:parameters");

  it.each<[ProtocolOperation, JsonObject, object]>([
    [
      "sendMessage",
      { tenant: "acme", message: { messageId: "m1" } },
      { httpMethod: "POST", path: "/acme/message:send", body: { message: { messageId: "m1" } } },
    ],
    [
      "sendStreamingMessage",
      { message: {} },
      { httpMethod: "POST", path: "/message:stream", body: { message: {} } },
    ],
    [
      "getTask",
      { id: "a/b:cancel", historyLength: 2 },
      { httpMethod: "GET", path: "/tasks/a%2Fb%3Acancel", query: "historyLength=2" },
    ],
    [
      "listTasks",
      { tenant: "a b", pageSize: 2, includeArtifacts: true },
      { httpMethod: "GET", path: "/a%20b/tasks", query: "pageSize=2&includeArtifacts=true" },
    ],
    [
      "cancelTask",
      { id: "..", metadata: { a: 1 } },
      { httpMethod: "POST", path: "/tasks/..:cancel", body: { metadata: { a: 1 } } },
    ],
    [
      "subscribeToTask",
      { id: "t1", tenant: "tasks" },
      { httpMethod: "POST", path: "/tasks/t1:subscribe", query: "tenant=tasks" },
    ],
    [
      "createTaskPushNotificationConfig",
      { taskId: "t1", id: "c1", ...config },
      {
        httpMethod: "POST",
        path: "/tasks/t1/pushNotificationConfigs",
        body: { id: "c1", ...config },
      },
    ],
    [
      "getTaskPushNotificationConfig",
      { taskId: "t1", id: "c1" },
      { httpMethod: "GET", path: "/tasks/t1/pushNotificationConfigs/c1" },
    ],
    [
      "listTaskPushNotificationConfigs",
      { taskId: "t1", pageToken: "p" },
      { httpMethod: "GET", path: "/tasks/t1/pushNotificationConfigs", query: "pageToken=p" },
    ],
    [
      "deleteTaskPushNotificationConfig",
      { taskId: "t1", id: "c1" },
      { httpMethod: "DELETE", path: "/tasks/t1/pushNotificationConfigs/c1" },
    ],
    ["getExtendedAgentCard", {}, { httpMethod: "GET", path: "/extendedAgentCard" }],
  ])("writes %s of 1.0 with %j", (operation, params, expected) => {
    expect(buildRestRequest("1.0", operation, params)).toEqual({ query: "", ...expected });
  });

  it.each<[ProtocolOperation, JsonObject, object]>([
    [
      "sendMessage",
      { message: {} },
      { httpMethod: "POST", path: "/v1/message:send", body: { message: {} } },
    ],
    ["getTask", { id: "t1" }, { httpMethod: "GET", path: "/v1/tasks/t1" }],
    ["cancelTask", { id: "t1" }, { httpMethod: "POST", path: "/v1/tasks/t1:cancel", body: {} }],
    ["subscribeToTask", { id: "t1" }, { httpMethod: "POST", path: "/v1/tasks/t1:subscribe" }],
    [
      "createTaskPushNotificationConfig",
      { taskId: "t1", pushNotificationConfig: config },
      {
        httpMethod: "POST",
        path: "/v1/tasks/t1/pushNotificationConfigs",
        body: { pushNotificationConfig: config },
      },
    ],
    [
      "getTaskPushNotificationConfig",
      { id: "t1", pushNotificationConfigId: "c1" },
      { httpMethod: "GET", path: "/v1/tasks/t1/pushNotificationConfigs/c1" },
    ],
    [
      "listTaskPushNotificationConfigs",
      { id: "t1" },
      { httpMethod: "GET", path: "/v1/tasks/t1/pushNotificationConfigs" },
    ],
    [
      "deleteTaskPushNotificationConfig",
      { id: "t1", pushNotificationConfigId: "c1" },
      { httpMethod: "DELETE", path: "/v1/tasks/t1/pushNotificationConfigs/c1" },
    ],
    ["getExtendedAgentCard", {}, { httpMethod: "GET", path: "/v1/card" }],
  ])("writes %s of 0.3 with %j", (operation, params, expected) => {
    for (const dialect of ["0.3-proto", "0.3-schema"] as const) {
      expect(buildRestRequest(dialect, operation, params)).toEqual({ query: "", ...expected });
    }
  });

  it.each(["", ".", "..", "\ud800", undefined, 1])("puts no id %j into a path", (id) => {
    const params = (id === undefined ? {} : { id }) as JsonObject;
    expect(() => buildRestRequest("1.0", "getTask", params)).toThrow(
      expect.objectContaining({
        code: "INVALID_PARAMS",
        message: "id: expected an id that can be part of a path",
      }),
    );
  });

  it.each([".", "..", "tasks", "extendedAgentCard"])(
    "leaves the tenant %j out of the path, where it would be lost",
    (tenant) => {
      const request = buildRestRequest("1.0", "listTasks", { tenant });
      expect(request).toMatchObject({ path: "/tasks", query: `tenant=${tenant}` });
    },
  );

  it.each<Dialect>(["0.1", "0.1+0.3", "0.3", "0.3+type"])("knows no REST in %s", (dialect) => {
    expect(() => buildRestRequest(dialect, "getTask", { id: "t1" })).toThrow(
      expect.objectContaining({ code: "UNSUPPORTED_OPERATION" }),
    );
  });
});

describe("a request that is built and then detected", () => {
  const id = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !/^\.{1,2}$/.test(text));
  const text = fc.string({ unit: "binary", minLength: 1 });
  const tenant = fc.oneof(
    fc.constantFrom("tasks", "extendedAgentCard", ".", "..", "v1"),
    text.filter((name) => !isReservedTenant(name)),
  );
  const body = fc.record({ message: fc.jsonValue(), metadata: fc.jsonValue() });
  const list = fc.record(
    { contextId: text, status: text, pageSize: fc.integer(), includeArtifacts: fc.boolean() },
    { requiredKeys: [] },
  );

  const current: Record<ProtocolOperation, fc.Arbitrary<object>> = {
    sendMessage: body,
    sendStreamingMessage: body,
    getTask: fc.record({ id, historyLength: fc.nat() }, { requiredKeys: ["id"] }),
    listTasks: list,
    cancelTask: fc.record({ id, metadata: fc.jsonValue() }, { requiredKeys: ["id"] }),
    subscribeToTask: fc.record({ id }),
    createTaskPushNotificationConfig: fc.record(
      { taskId: id, id: text, url: text },
      { requiredKeys: ["taskId"] },
    ),
    getTaskPushNotificationConfig: fc.record({ taskId: id, id }),
    listTaskPushNotificationConfigs: fc.record(
      { taskId: id, pageToken: text },
      { requiredKeys: ["taskId"] },
    ),
    deleteTaskPushNotificationConfig: fc.record({ taskId: id, id }),
    getExtendedAgentCard: fc.constant({}),
  };

  const one = fc.record({ id, pushNotificationConfigId: id });
  const older: Record<ProtocolOperation, fc.Arbitrary<object>> = {
    ...current,
    createTaskPushNotificationConfig: fc.record({
      taskId: id,
      pushNotificationConfig: fc.jsonValue(),
    }),
    getTaskPushNotificationConfig: one,
    listTaskPushNotificationConfigs: fc.record({ id }),
    deleteTaskPushNotificationConfig: one,
  };

  /** Through a URL as well: it must not lose or rewrite anything on the way. */
  function roundTrip(dialect: Dialect, operation: ProtocolOperation, params: JsonObject) {
    const request = buildRestRequest(dialect, operation, params);
    const url = new URL(`https://agent.example${request.path}?${request.query}`);
    return detectRest({
      httpMethod: request.httpMethod,
      path: url.pathname,
      query: url.searchParams,
      version: dialect === "1.0" ? "1.0" : "0.3",
      body: request.body,
      hasTenant: (name) => name === "v1",
    });
  }

  /** Numbers come out of a query as text, which the parsers read. */
  function asRead(operation: ProtocolOperation, params: JsonObject): JsonObject {
    if (operation !== "getTask" && operation !== "listTasks") return params;
    const entries = Object.entries(params).map(([name, value]) => [
      name,
      typeof value === "number" ? String(value) : value,
    ]);
    return Object.fromEntries(entries) as JsonObject;
  }

  it.each(operations)("is %s of 1.0 with the same parameters", (operation) => {
    const params = fc
      .tuple(current[operation], fc.record({ tenant }, { requiredKeys: [] }))
      .map(([own, common]): JsonObject => ({ ...own, ...common }));
    fc.assert(
      fc.property(params, (given) => {
        const detected = roundTrip("1.0", operation, given);
        const expected = { operation, dialect: "1.0", params: asRead(operation, given) };
        expect(detected).toEqual({ ...expected, needsCreatedIn: false });
      }),
    );
  });

  it.each(operations)("is %s of 0.3 with the same parameters", (operation) => {
    fc.assert(
      fc.property(older[operation], (given) => {
        const params = given as JsonObject;
        const detected = roundTrip("0.3-proto", operation, params);
        expect(detected).toMatchObject({ operation });
        expect("params" in detected && detected.params).toEqual(asRead(operation, params));
      }),
    );
  });
});
