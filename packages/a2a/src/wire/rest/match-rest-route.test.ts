import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import type { Operation } from "../../protocol/internal.js";
import { matchRestRoute } from "./match-rest-route.js";
import { isReservedTenant } from "./served-routes.js";

type Row = [route: string, operation: Operation, params?: Record<string, string>];

function match(route: string) {
  const [httpMethod = "", path = ""] = route.split(" ");
  return matchRestRoute(httpMethod, path);
}

const current: Row[] = [
  ["POST /message:send", "sendMessage"],
  ["POST /message:stream", "sendStreamingMessage"],
  ["GET /tasks/t1", "getTask", { id: "t1" }],
  ["GET /tasks", "listTasks"],
  ["POST /tasks/list", "listTasks"],
  ["POST /tasks/t1:cancel", "cancelTask", { id: "t1" }],
  ["POST /tasks/t1:subscribe", "subscribeToTask", { id: "t1" }],
  ["GET /tasks/t1:subscribe", "subscribeToTask", { id: "t1" }],
  ["POST /tasks/t1/pushNotificationConfigs", "createTaskPushNotificationConfig", { taskId: "t1" }],
  [
    "GET /tasks/t1/pushNotificationConfigs/c1",
    "getTaskPushNotificationConfig",
    { taskId: "t1", id: "c1" },
  ],
  ["GET /tasks/t1/pushNotificationConfigs", "listTaskPushNotificationConfigs", { taskId: "t1" }],
  [
    "DELETE /tasks/t1/pushNotificationConfigs/c1",
    "deleteTaskPushNotificationConfig",
    { taskId: "t1", id: "c1" },
  ],
  ["GET /extendedAgentCard", "getExtendedAgentCard"],
];

const older: Row[] = [
  ["POST /v1/message:send", "sendMessage"],
  ["POST /v1//message:send", "sendMessage"],
  ["POST /v1/message:stream", "sendStreamingMessage"],
  ["GET /v1/tasks/t1", "getTask", { id: "t1" }],
  ["GET /v1/tasks", "listTasks"],
  ["POST /v1/tasks/t1:cancel", "cancelTask", { id: "t1" }],
  ["POST /v1/tasks/t1:subscribe", "subscribeToTask", { id: "t1" }],
  ["GET /v1/tasks/t1:subscribe", "subscribeToTask", { id: "t1" }],
  ["GET /v1/card", "getExtendedAgentCard"],
  ["GET /agent/authenticatedExtendedCard", "getExtendedAgentCard"],
];

const olderPush: Row[] = [
  "/v1/tasks/t1/pushNotificationConfigs",
  "/v1/tasks/t1/pushNotifications",
  "/v1/task/t1/pushNotificationConfigs",
  "/v1/task/t1/pushNotifications",
].flatMap((path): Row[] => [
  [`POST ${path}`, "createTaskPushNotificationConfig", { taskId: "t1" }],
  [`GET ${path}/c1`, "getTaskPushNotificationConfig", { id: "t1", pushNotificationConfigId: "c1" }],
  [`GET ${path}`, "listTaskPushNotificationConfigs", { id: "t1" }],
  [
    `DELETE ${path}/c1`,
    "deleteTaskPushNotificationConfig",
    { id: "t1", pushNotificationConfigId: "c1" },
  ],
]);

describe("the paths of 1.0", () => {
  verifies("rest:send", "rest:stream", "rest:get", "rest:list", "rest:cancel");
  verifies("rest:subscribe", "rest:push", "rest:extended-card");

  it.each(current)("take %s as %s", (route, operation, params = {}) => {
    const draft = route === "POST /tasks/list" ? { isDraft: true } : {};
    expect(match(route)).toEqual({ kind: "route", family: "1.0", operation, params, ...draft });
  });

  it.each(current)("take %s as %s of a tenant, too", (route, operation, params = {}) => {
    verifies("tenant:rest-path");
    const withTenant = route.replace(" ", " /acme%2Feu");
    expect(match(withTenant)).toMatchObject({
      kind: "route",
      family: "1.0",
      operation,
      tenant: "acme/eu",
      params,
    });
  });
});

describe("the paths of 0.3", () => {
  it.each([...older, ...olderPush])("take %s as %s", (route, operation, params = {}) => {
    expect(match(route)).toEqual({ kind: "route", family: "0.3", operation, params });
  });

  it.each(older)("have no tenant: %s", (route) => {
    expect(match(route.replace(" ", " /acme"))).toMatchObject({ kind: "not-found" });
  });

  it("are the paths of a tenant of 1.0 when the caller knows of one called v1", () => {
    const asTenant = (path: string) => matchRestRoute("GET", path, { v1IsTenant: true });
    expect(asTenant("/v1/tasks/t1")).toEqual({
      kind: "route",
      family: "1.0",
      operation: "getTask",
      tenant: "v1",
      params: { id: "t1" },
    });
    expect(asTenant("/v1/card")).toEqual({ kind: "not-found", family: "1.0" });
    expect(asTenant("/v1/v1/tasks")).toEqual({ kind: "not-found", family: "1.0" });
    expect(asTenant("/agent/authenticatedExtendedCard")).toMatchObject({ family: "0.3" });
  });
});

describe("an id in a path", () => {
  it.each([
    ["GET /tasks/a%3Acancel", "getTask", "a:cancel"],
    ["GET /tasks/a%3Asubscribe", "getTask", "a:subscribe"],
    ["GET /tasks/a%2Fb", "getTask", "a/b"],
    ["GET /tasks/%2F", "getTask", "/"],
    ["GET /tasks/urn:task:1", "getTask", "urn:task:1"],
    ["GET /tasks/a:archive", "getTask", "a:archive"],
    ["GET /tasks/list", "getTask", "list"],
    ["GET /tasks/tasks", "getTask", "tasks"],
    ["GET /tasks/message:send", "getTask", "message:send"],
    ["GET /tasks/extendedAgentCard", "getTask", "extendedAgentCard"],
    ["GET /tasks/%C3%A9%20%25", "getTask", "é %"],
    ["GET /tasks/a+b", "getTask", "a+b"],
    ["GET /tasks/__proto__", "getTask", "__proto__"],
    ["POST /tasks/urn:task:1:cancel", "cancelTask", "urn:task:1"],
    ["POST /tasks/a%3Acancel:cancel", "cancelTask", "a:cancel"],
    ["POST /tasks/a:cancel:cancel", "cancelTask", "a:cancel"],
    ["POST /tasks/list:cancel", "cancelTask", "list"],
    ["GET /tasks/a:cancel:subscribe", "subscribeToTask", "a:cancel"],
    ["GET /v1/tasks/a%2Fb:subscribe", "subscribeToTask", "a/b"],
  ])("%s asks for %s of %j", (route, operation, id) => {
    expect(match(route)).toMatchObject({ kind: "route", operation, params: { id } });
  });

  it("may hold a verb where no verb can follow", () => {
    expect(match("GET /tasks/a:cancel/pushNotificationConfigs/b:cancel")).toMatchObject({
      operation: "getTaskPushNotificationConfig",
      params: { taskId: "a:cancel", id: "b:cancel" },
    });
  });
});

describe("a tenant in a path", () => {
  it.each(["tasks", "extendedAgentCard", ".well-known", "v1", "agent", "a:b", ""])(
    "is never called %j",
    (name) => {
      expect(isReservedTenant(name)).toBe(true);
      const found = matchRestRoute("POST", `/${encodeURIComponent(name)}/message:stream`);
      expect(found).not.toHaveProperty("tenant");
    },
  );

  it.each(["acme", "Tasks", "v2", "a/b", "é", "agents", "__proto__"])(
    "may be called %j",
    (name) => {
      expect(isReservedTenant(name)).toBe(false);
      const found = matchRestRoute("POST", `/${encodeURIComponent(name)}/message:send`);
      expect(found).toMatchObject({ operation: "sendMessage", tenant: name });
    },
  );
});

describe("a path that is not served", () => {
  it.each([
    ["", "1.0"],
    ["/", "1.0"],
    ["/tasks/", "1.0"],
    ["/tasks//pushNotificationConfigs", "1.0"],
    ["/acme", "1.0"],
    ["/acme/eu/tasks", "1.0"],
    ["//message:send", "1.0"],
    ["/message:archive", "1.0"],
    ["/.well-known/agent-card.json", "1.0"],
    ["/tasks/%", "1.0"],
    ["/tasks/%E0%A4", "1.0"],
    ["/%zz/tasks", "1.0"],
    ["/task/t1/pushNotificationConfigs", "1.0"],
    ["/tasks/t1/pushNotifications", "1.0"],
    ["/v1", "0.3"],
    ["/v1/", "0.3"],
    ["/v1/extendedAgentCard", "0.3"],
    ["/v1/tasks/t1/other", "0.3"],
    ["/v1//message:stream", "0.3"],
    ["/agent/card", "0.3"],
  ])("is not found: %j", (path, family) => {
    for (const httpMethod of ["GET", "POST", "DELETE", "PUT"]) {
      expect(matchRestRoute(httpMethod, path)).toEqual({ kind: "not-found", family });
    }
  });

  it.each([
    ["GET", "/message:send", ["POST"]],
    ["POST", "/tasks", ["GET"]],
    ["DELETE", "/tasks/t1", ["GET"]],
    ["DELETE", "/tasks/list", ["GET", "POST"]],
    ["GET", "/tasks/t1:cancel", ["POST"]],
    ["DELETE", "/tasks/t1:subscribe", ["GET", "POST"]],
    ["PUT", "/tasks/t1/pushNotificationConfigs", ["GET", "POST"]],
    ["POST", "/acme/tasks/t1/pushNotificationConfigs/c1", ["DELETE", "GET"]],
    ["get", "/extendedAgentCard", ["GET"]],
    ["POST", "/v1/card", ["GET"]],
    ["PUT", "/v1/task/t1/pushNotifications/c1", ["DELETE", "GET"]],
  ])("with the method %s has others: %s takes %j", (httpMethod, path, allowed) => {
    expect(matchRestRoute(httpMethod, path)).toMatchObject({ kind: "method-not-allowed", allowed });
  });
});
