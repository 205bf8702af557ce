import type {
  JsonObject,
  Operation,
  RequestOf,
  SendMessageConfiguration,
  SendMessageRequest,
} from "../../protocol/internal.js";
import { compact } from "../members/as-json.js";
import { earlierEncoders } from "../members/earlier-encoders.js";
import { encodeProtoTaskState } from "../members/task-state.js";
import { encodeMessage } from "./message.js";
import { encodeConfig } from "./push-notification-config.js";

function encodeSend({ message, configuration, metadata }: SendMessageRequest): JsonObject {
  return compact({
    message: encodeMessage(message),
    configuration: configuration && encodeConfiguration(configuration),
    metadata,
  });
}

function encodeConfiguration(configuration: SendMessageConfiguration): JsonObject {
  const { taskPushNotificationConfig } = configuration;
  return compact({
    acceptedOutputModes: configuration.acceptedOutputModes,
    pushNotification: taskPushNotificationConfig && encodeConfig(taskPushNotificationConfig),
    historyLength: configuration.historyLength,
    blocking: configuration.returnImmediately !== true,
  });
}

/** Ids have the names of the parameters in REST paths. The bodies are ProtoJSON. */
export const encodeRequest: { readonly [O in Operation]: (request: RequestOf<O>) => JsonObject } = {
  ...earlierEncoders,
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  listTasks: ({ status, ...request }) =>
    compact({ ...request, tenant: undefined, status: status && encodeProtoTaskState(status) }),
  createTaskPushNotificationConfig: (config) => ({
    taskId: config.taskId,
    pushNotificationConfig: encodeConfig(config),
  }),
  listTaskPushNotificationConfigs: ({ taskId, pageSize, pageToken }) =>
    compact({ id: taskId, pageSize, pageToken }),
};
