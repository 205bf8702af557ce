import { pushDefinitions, restRoutes, routesOf } from "./rest-routes.js";
import type { RestRoute } from "./rest-routes.js";

const drafts: readonly RestRoute[] = routesOf("1.0", [["POST /tasks/list", "listTasks"]]);

/** Every path that is served: those that clients send, and those that protos, prose and drafts have besides. */
export const servedRoutes: readonly RestRoute[] = [
  ...restRoutes,
  ...routesOf("1.0", [["GET /tasks/{id}:subscribe", "subscribeToTask"]]),
  ...drafts.map((route): RestRoute => ({ ...route, isDraft: true })),
  ...routesOf("0.3", [
    ["POST /v1//message:send", "sendMessage"],
    ["GET /v1/tasks/{id}:subscribe", "subscribeToTask"],
    ...pushDefinitions("tasks/{}/pushNotifications"),
    ...pushDefinitions("task/{}/pushNotificationConfigs"),
    ...pushDefinitions("task/{}/pushNotifications"),
    ["GET /agent/authenticatedExtendedCard", "getExtendedAgentCard"],
  ]),
];

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
