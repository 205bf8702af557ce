import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import {
  identifier,
  identifierOrEmpty,
  implicit,
  map,
  members,
  object,
  optional,
  required,
  string,
  url,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { asJson, compact } from "../members/as-json.js";
import {
  decodeAuthentication,
  encodeAuthenticationWithSchemes,
} from "../members/authentication.js";
import { isObject } from "../members/is-object.js";
import { parseResourceName } from "../rest/resource-name.js";
import type { ResourceIds } from "../rest/resource-name.js";

type Config = Omit<TaskPushNotificationConfig, "tenant" | "taskId">;

const configMembers = object<Config>({
  id: implicit(identifierOrEmpty),
  url: required(url),
  token: implicit(string),
  authentication: optional(decodeAuthentication),
  headers: optional(map(string)),
});

/** The configuration alone. An `Authorization` among its headers says how to authenticate. */
export const decodeConfig: Parser<Config> = (value, cursor) => {
  const config = configMembers(value, cursor);
  const [scheme, credentials] = authorizationOf(config.headers);
  if (config.authentication !== undefined || scheme === undefined) return config;
  return {
    ...config,
    authentication: { scheme, ...(credentials !== undefined && { credentials }) },
  };
};

export function encodeConfig(config: TaskPushNotificationConfig): JsonObject {
  const { authentication, headers } = config;
  return compact({
    id: config.id,
    url: config.url,
    token: config.token,
    authentication: authentication && asJson(encodeAuthenticationWithSchemes(authentication)),
    headers: headers && asJson(headers),
  });
}

const wrapperNames = ["pushNotificationConfig", "push_notification_config", "config"];

/**
 * A configuration beside the id of its task, in every form that was published or is sent: the id as
 * `taskId`, as 0.1's `id` or inside a resource name, the configuration under either name or both.
 */
export function decodeTaskConfig(
  value: unknown,
  cursor: Cursor,
): TaskPushNotificationConfig & { readonly taskId: string } {
  const outer = members(value, cursor);
  const named = namedIds(outer, cursor);
  const idName = ["taskId", "task_id", "id"].find((name) => (outer[name] ?? "") !== "");
  const taskId =
    idName === undefined ? named?.taskId : cursor.enter(idName, outer[idName], identifier);
  if (taskId === undefined) return cursor.fail("this member is required", "taskId");
  const config = unwrap(outer, cursor);
  const id = config.id ?? optionalId(outer, cursor) ?? named?.configId;
  return { ...config, taskId, ...(id !== undefined && { id }) };
}

/** The ids in the resource name of the configuration, or else of what it belongs to. */
function namedIds(
  outer: Readonly<Record<string, unknown>>,
  cursor: Cursor,
): ResourceIds | undefined {
  for (const member of ["name", "parent"]) {
    const ids = parseResourceName(outer[member]);
    for (const id of Object.values(ids ?? {})) cursor.enter(member, id, identifier);
    if (ids !== undefined) return ids;
  }
  return undefined;
}

function unwrap(outer: Readonly<Record<string, unknown>>, cursor: Cursor): Config {
  const name = wrapperNames.find((one) => (outer[one] ?? null) !== null);
  if (name === undefined) return cursor.fail("this member is required", "pushNotificationConfig");
  return cursor.enter(name, outer[name], (value, at) =>
    isObject(value) && !("url" in value) && wrapperNames.some((one) => isObject(value[one]))
      ? unwrap(value, at)
      : decodeConfig(value, at),
  );
}

function optionalId(outer: Readonly<Record<string, unknown>>, cursor: Cursor): string | undefined {
  const configId = outer["configId"] ?? outer["config_id"] ?? "";
  return configId === "" ? undefined : cursor.enter("configId", configId, identifier);
}

export function encodeTaskConfig(config: TaskPushNotificationConfig): JsonObject {
  return { taskId: config.taskId ?? "", pushNotificationConfig: encodeConfig(config) };
}

function authorizationOf(
  headers: Readonly<Record<string, string>> | undefined,
): readonly [scheme?: string, credentials?: string] {
  const [, value = ""] =
    Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "authorization") ?? [];
  const [, scheme, credentials] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  return scheme === undefined ? [] : credentials === undefined ? [scheme] : [scheme, credentials];
}
