import type { TaskPushNotificationConfig } from "../../protocol/internal.js";
import {
  identifierOrEmpty,
  implicit,
  isJsonObject,
  members,
  object,
  optional,
  required,
  shortString,
  url,
} from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import { decodePushAuthentication } from "../members/push-authentication.js";

const flat = object<Omit<TaskPushNotificationConfig, "headers">>({
  tenant: implicit(shortString),
  id: implicit(identifierOrEmpty, { aliases: ["pushNotificationConfigId", "configId"] }),
  taskId: implicit(identifierOrEmpty),
  url: required(url),
  token: implicit(shortString),
  authentication: optional(decodePushAuthentication),
});

const nestedNames = ["pushNotificationConfig", "config"] as const;

/** Decodes a configuration, also in the nested form of the 1.0 release candidate and some samples. */
export function decodePushNotificationConfig(
  value: unknown,
  cursor: Cursor,
): TaskPushNotificationConfig {
  const outer = members(value, cursor);
  const name = nestedNames.find((one) => isJsonObject(outer[one]));
  if (name === undefined || "url" in outer) return flat(value, cursor);
  const inner = cursor.enter(name, outer[name], decodePushNotificationConfig);
  return flat({ ...inner, ...outer, url: inner.url }, cursor);
}
