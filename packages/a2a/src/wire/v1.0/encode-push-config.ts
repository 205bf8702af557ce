import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import { asJson } from "../members/as-json.js";

/** Drops the members that only earlier versions have. */
export function encodePushNotificationConfig(config: TaskPushNotificationConfig): JsonObject {
  const { headers: _, authentication, ...rest } = config;
  if (authentication === undefined) return asJson(rest);
  const { schemes: __, ...single } = authentication;
  return asJson({ ...rest, authentication: single });
}
