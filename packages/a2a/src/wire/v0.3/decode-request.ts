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
import { isBlank } from "../members/named-member.js";
import { withOwnRoles } from "../members/strict-role.js";
import { decodeMessage } from "./message.js";
import { decodeConfig } from "./push-notification-config.js";

const configurationMembers = object<
  Omit<SendMessageConfiguration, "returnImmediately"> & { readonly blocking?: boolean }
>({
  acceptedOutputModes: implicit(array(string)),
  taskPushNotificationConfig: optional(decodeConfig, { from: "pushNotificationConfig" }),
  historyLength: optional(historyLength),
  blocking: optional(boolean),
});

/** These versions define no default for `blocking`: without it the server decides how long the caller waits. */
function decodeConfiguration(value: unknown, cursor: Cursor): SendMessageConfiguration {
  const { blocking, ...configuration } = configurationMembers(value, cursor);
  return blocking === undefined
    ? configuration
    : { ...configuration, returnImmediately: !blocking };
}

const sendMembers = object<SendMessageRequest>({
  tenant: implicit(shortString),
  message: required(withOwnRoles("schema", decodeMessage)),
  configuration: optional(decodeConfiguration),
  metadata: optional(jsonObject),
});

/** Several documents have the message's id beside the message. It counts when the message has none. */
const sendMessage: Parser<SendMessageRequest> = (value, cursor) => {
  const outerId = isJsonObject(value) && !cursor.isStrict ? value["messageId"] : undefined;
  if (!isJsonObject(value) || !isJsonObject(value["message"]) || typeof outerId !== "string") {
    return sendMembers(value, cursor);
  }
  const { message } = value;
  const innerId = message["messageId"] ?? "";
  const usesOuter = isBlank(innerId) && !isBlank(outerId);
  return sendMembers(
    usesOuter ? { ...value, message: { ...message, messageId: outerId } } : value,
    cursor,
  );
};

export const decodeRequest: Codec["decodeRequest"] = earlierDecoders((shared) => ({
  ...shared,
  sendMessage,
  sendStreamingMessage: sendMessage,
}));
