import type { SendMessageConfiguration, SendMessageRequest } from "../../protocol/internal.js";
import {
  array,
  boolean,
  historyLength,
  implicit,
  isJsonObject,
  jsonObject,
  object,
  optional,
  required,
  shortString,
  string,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { earlierDecoders } from "../members/earlier-requests.js";
import { parseResourceName } from "../members/resource-name.js";
import { withOwnRoles } from "../members/strict-role.js";
import { decodeMessage } from "./message.js";
import { decodeConfig } from "./push-notification-config.js";

const configurationMembers = object<
  Omit<SendMessageConfiguration, "returnImmediately"> & { readonly blocking?: boolean }
>({
  acceptedOutputModes: implicit(array(string)),
  taskPushNotificationConfig: optional(decodeConfig, {
    from: "pushNotification",
    aliases: ["pushNotificationConfig"],
  }),
  historyLength: optional(historyLength),
  blocking: optional(boolean),
});

/** In protobuf an absent `blocking` is `false`, so the caller waits only when it says so. */
function decodeConfiguration(value: unknown, cursor: Cursor): SendMessageConfiguration {
  const { blocking, ...configuration } = configurationMembers(value, cursor);
  return { ...configuration, returnImmediately: blocking !== true };
}

const sendMessage = object<SendMessageRequest>({
  tenant: implicit(shortString),
  message: required(withOwnRoles("proto", decodeMessage), { aliases: ["request"] }),
  configuration: optional(decodeConfiguration),
  metadata: optional(jsonObject),
});

/** Parses a request that names its task by resource name, which it turns into ids. */
function named<T>(parse: Parser<T>): Parser<T> {
  return (value, cursor) => {
    const ids = isJsonObject(value)
      ? parseResourceName(value["name"] ?? value["parent"])
      : undefined;
    if (!isJsonObject(value) || ids === undefined) return parse(value, cursor);
    const pushNotificationConfigId = ids.configId;
    return parse({ id: ids.taskId, pushNotificationConfigId, ...value }, cursor);
  };
}

export const decodeRequest: Codec["decodeRequest"] = earlierDecoders((shared) => ({
  ...shared,
  sendMessage,
  sendStreamingMessage: sendMessage,
  getTask: named(shared.getTask),
  cancelTask: named(shared.cancelTask),
  subscribeToTask: named(shared.subscribeToTask),
  getTaskPushNotificationConfig: named(shared.getTaskPushNotificationConfig),
  listTaskPushNotificationConfigs: named(shared.listTaskPushNotificationConfigs),
  deleteTaskPushNotificationConfig: named(shared.deleteTaskPushNotificationConfig),
}));
