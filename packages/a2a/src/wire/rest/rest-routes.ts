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

type Definition = readonly [route: `${RestHttpMethod} /${string}`, operation: ProtocolOperation];

/** The paths that clients send, relative to the interface's URL (§5.3): one for each family and operation. */
export const restRoutes: readonly RestRoute[] = [
  ...routesOf("1.0", [
    ["POST /message:send", "sendMessage"],
    ["POST /message:stream", "sendStreamingMessage"],
    ["GET /tasks/{id}", "getTask"],
    ["GET /tasks", "listTasks"],
    ["POST /tasks/{id}:cancel", "cancelTask"],
    ["POST /tasks/{id}:subscribe", "subscribeToTask"],
    ["POST /tasks/{taskId}/pushNotificationConfigs", "createTaskPushNotificationConfig"],
    ["GET /tasks/{taskId}/pushNotificationConfigs/{id}", "getTaskPushNotificationConfig"],
    ["GET /tasks/{taskId}/pushNotificationConfigs", "listTaskPushNotificationConfigs"],
    ["DELETE /tasks/{taskId}/pushNotificationConfigs/{id}", "deleteTaskPushNotificationConfig"],
    ["GET /extendedAgentCard", "getExtendedAgentCard"],
  ]),
  ...routesOf("0.3", [
    ["POST /v1/message:send", "sendMessage"],
    ["POST /v1/message:stream", "sendStreamingMessage"],
    ["GET /v1/tasks/{id}", "getTask"],
    ["GET /v1/tasks", "listTasks"],
    ["POST /v1/tasks/{id}:cancel", "cancelTask"],
    ["POST /v1/tasks/{id}:subscribe", "subscribeToTask"],
    ...pushDefinitions("tasks/{}/pushNotificationConfigs"),
    ["GET /v1/card", "getExtendedAgentCard"],
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

/** The task's id is `taskId` when a configuration is created, and `id` otherwise, as in JSON-RPC. */
export function pushDefinitions(path: string): readonly Definition[] {
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

export function routesOf(
  family: RestFamily,
  definitions: readonly Definition[],
): readonly RestRoute[] {
  return definitions.map(([route, operation]) => {
    const [httpMethod, path = ""] = route.split(" /");
    const segments = path.split("/").map(parseSegment);
    return { family, operation, httpMethod: httpMethod as RestHttpMethod, segments };
  });
}

function parseSegment(text: string): RestSegment {
  const [, parameter, verb = ""] = /^\{(\w+)\}(:\w+)?$/.exec(text) ?? [];
  return parameter === undefined ? text : { parameter, verb };
}
