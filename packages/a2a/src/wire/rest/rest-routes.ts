import type { ProtocolOperation } from "../../protocol/internal.js";

/** The paths of 0.2 and 0.3 start with `/v1`. The paths of 1.0 may start with a tenant. */
export type RestFamily = "0.3" | "1.0";

export type RestHttpMethod = "GET" | "POST" | "DELETE";

/** Fixed text, or an id: its request parameter, and the verb that follows it (`:cancel`). */
export type RestSegment = string | { readonly parameter: string; readonly verb: string };

export interface RestRoute {
  readonly family: RestFamily;
  readonly operation: ProtocolOperation;
  readonly httpMethod: RestHttpMethod;
  readonly segments: readonly RestSegment[];
  /** Whether no published version has the path. */
  readonly isDraft?: true;
}

type Definition = readonly [
  route: `${RestHttpMethod} /${string}`,
  operation: ProtocolOperation,
  isDraft?: true,
];

/**
 * Every path that is served, relative to the interface's URL (§5.3). Clients send the first one of a
 * family and operation; the others are those that protos, prose and drafts have besides.
 */
export const restRoutes: readonly RestRoute[] = [
  ...define("1.0", [
    ["POST /message:send", "sendMessage"],
    ["POST /message:stream", "sendStreamingMessage"],
    ["GET /tasks/{id}", "getTask"],
    ["GET /tasks", "listTasks"],
    ["POST /tasks/list", "listTasks", true],
    ["POST /tasks/{id}:cancel", "cancelTask"],
    ["POST /tasks/{id}:subscribe", "subscribeToTask"],
    ["GET /tasks/{id}:subscribe", "subscribeToTask"],
    ["POST /tasks/{taskId}/pushNotificationConfigs", "createTaskPushNotificationConfig"],
    ["GET /tasks/{taskId}/pushNotificationConfigs/{id}", "getTaskPushNotificationConfig"],
    ["GET /tasks/{taskId}/pushNotificationConfigs", "listTaskPushNotificationConfigs"],
    ["DELETE /tasks/{taskId}/pushNotificationConfigs/{id}", "deleteTaskPushNotificationConfig"],
    ["GET /extendedAgentCard", "getExtendedAgentCard"],
  ]),
  ...define("0.3", [
    ["POST /v1/message:send", "sendMessage"],
    ["POST /v1//message:send", "sendMessage"],
    ["POST /v1/message:stream", "sendStreamingMessage"],
    ["GET /v1/tasks/{id}", "getTask"],
    ["GET /v1/tasks", "listTasks"],
    ["POST /v1/tasks/{id}:cancel", "cancelTask"],
    ["POST /v1/tasks/{id}:subscribe", "subscribeToTask"],
    ["GET /v1/tasks/{id}:subscribe", "subscribeToTask"],
    ...pushDefinitions("tasks/{}/pushNotificationConfigs"),
    ...pushDefinitions("tasks/{}/pushNotifications"),
    ...pushDefinitions("task/{}/pushNotificationConfigs"),
    ...pushDefinitions("task/{}/pushNotifications"),
    ["GET /v1/card", "getExtendedAgentCard"],
    ["GET /agent/authenticatedExtendedCard", "getExtendedAgentCard"],
  ]),
];

/** The route under which a client sends an operation. */
export function restRoute(family: RestFamily, operation: ProtocolOperation): RestRoute | undefined {
  return restRoutes.find((route) => route.family === family && route.operation === operation);
}

/**
 * What comes before the name of an extension's method, which is the rest of the path: `/method:call/acme/quote`. No
 * path of the protocol begins with it, and no tenant has a colon in its name.
 */
export const methodSegment = "method:call";

const reservedTenants: ReadonlySet<string> = new Set([
  "tasks",
  "extendedAgentCard",
  ".well-known",
  "v1",
  "agent",
]);

/** True for a name that a tenant in a path cannot have, because the name means something else there. */
export function isReservedTenant(name: string): boolean {
  return name === "" || name.includes(":") || reservedTenants.has(name);
}

/** The task's id is `taskId` when a configuration is created, and `id` otherwise, as in JSON-RPC. */
function pushDefinitions(path: string): readonly Definition[] {
  const created = path.replace("{}", "{taskId}");
  const listed = path.replace("{}", "{id}");
  const one = `${listed}/{pushNotificationConfigId}`;
  return [
    [`POST /v1/${created}`, "createTaskPushNotificationConfig"],
    [`GET /v1/${one}`, "getTaskPushNotificationConfig"],
    [`GET /v1/${listed}`, "listTaskPushNotificationConfigs"],
    [`DELETE /v1/${one}`, "deleteTaskPushNotificationConfig"],
  ];
}

function define(family: RestFamily, definitions: readonly Definition[]): readonly RestRoute[] {
  return definitions.map(([route, operation, isDraft]) => {
    const [httpMethod, path = ""] = route.split(" /");
    const segments = path.split("/").map(parseSegment);
    return {
      family,
      operation,
      httpMethod: httpMethod as RestHttpMethod,
      segments,
      ...(isDraft && { isDraft }),
    };
  });
}

function parseSegment(text: string): RestSegment {
  const [, parameter, verb = ""] = /^\{(\w+)\}(:\w+)?$/.exec(text) ?? [];
  return parameter === undefined ? text : { parameter, verb };
}
