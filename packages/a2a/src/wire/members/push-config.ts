import type {
  AuthenticationInfo,
  JsonObject,
  TaskPushNotificationConfig,
} from "../../protocol/internal.js";
import {
  identifier,
  identifierOrEmpty,
  implicit,
  isJsonObject,
  map,
  members,
  object,
  optional,
  required,
  shortString,
  url,
} from "../../protocol/parse/internal.js";
import type { Cursor, Members, Parser } from "../../protocol/parse/internal.js";
import { asJson, compact } from "./as-json.js";
import { hasMember } from "./named-member.js";
import {
  authenticationOf,
  decodeListedAuthentication,
  encodePushAuthentication,
} from "./push-authentication.js";
import { parseResourceName } from "./resource-name.js";
import type { ResourceIds } from "./resource-name.js";

type Config = Omit<TaskPushNotificationConfig, "tenant" | "taskId">;

type ListedConfig = Omit<Config, "authentication"> & {
  readonly authentication?: ReturnType<typeof decodeListedAuthentication>;
};

const configMembers = object<ListedConfig>({
  id: implicit(identifierOrEmpty),
  url: required(url),
  token: implicit(shortString),
  authentication: optional(decodeListedAuthentication),
  headers: optional(map(shortString)),
});

/** Decodes a configuration alone. An `Authorization` among its headers tells how to authenticate. */
export const decodePushConfig: Parser<Config> = (value, cursor) => {
  const { authentication: listed = {}, ...config } = configMembers(value, cursor);
  const authentication = authenticationOf(listed) ?? authorizationOf(config.headers);
  return authentication === undefined ? config : { ...config, authentication };
};

/** Encodes a configuration alone. */
export function encodePushConfig(config: TaskPushNotificationConfig): JsonObject {
  const { authentication, headers } = config;
  return compact({
    id: config.id,
    url: config.url,
    token: config.token,
    authentication: authentication && asJson(encodePushAuthentication(authentication)),
    headers: headers && asJson(headers),
  });
}

const wrapperNames = ["pushNotificationConfig", "push_notification_config", "config"];

/**
 * Decodes a configuration and the id of its task, in every form that was published or is in use: the id
 * as `taskId`, as the `id` of 0.1 or in a resource name; the configuration under any of its names.
 */
export function decodeTaskPushConfig(
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

/** The ids in the resource name of the configuration, or else of its parent. */
function namedIds(outer: Members, cursor: Cursor): ResourceIds | undefined {
  for (const member of ["name", "parent"]) {
    const ids = parseResourceName(outer[member]);
    for (const id of Object.values(ids ?? {})) cursor.enter(member, id, identifier);
    if (ids !== undefined) return ids;
  }
  return undefined;
}

function unwrap(outer: Members, cursor: Cursor): Config {
  const name = wrapperNames.find((one) => hasMember(outer, one));
  if (name === undefined) return cursor.fail("this member is required", "pushNotificationConfig");
  return cursor.enter(name, outer[name], (value, at) =>
    isJsonObject(value) && !("url" in value) && wrapperNames.some((one) => isJsonObject(value[one]))
      ? unwrap(value, at)
      : decodePushConfig(value, at),
  );
}

function optionalId(outer: Members, cursor: Cursor): string | undefined {
  const configId = outer["configId"] ?? outer["config_id"] ?? "";
  return configId === "" ? undefined : cursor.enter("configId", configId, identifier);
}

function authorizationOf(
  headers: Readonly<Record<string, string>> | undefined,
): AuthenticationInfo | undefined {
  const [, value = ""] =
    Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === "authorization") ?? [];
  const [, scheme, credentials] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  if (scheme === undefined || credentials === undefined) return undefined;
  return { scheme, credentials };
}
