import type {
  JsonObject,
  Operation,
  RequestOf,
  SendMessageConfiguration,
  SendMessageRequest,
} from "../../protocol/internal.js";
import { compact } from "../members/as-json.js";
import { encodeProtoTaskState } from "../members/task-state.js";
import { encodeMethodCall } from "../method-call.js";
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
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  getTask: ({ id, historyLength: length }) => compact({ id, historyLength: length }),
  listTasks: ({ status, ...request }) =>
    compact({ ...request, tenant: undefined, status: status && encodeProtoTaskState(status) }),
  cancelTask: ({ id, metadata }) => compact({ id, metadata }),
  subscribeToTask: ({ id }) => ({ id }),
  createTaskPushNotificationConfig: (config) => ({
    taskId: config.taskId,
    pushNotificationConfig: encodeConfig(config),
  }),
  getTaskPushNotificationConfig: (request) =>
    compact({ id: request.taskId, pushNotificationConfigId: request.id }),
  listTaskPushNotificationConfigs: ({ taskId, pageSize, pageToken }) =>
    compact({ id: taskId, pageSize, pageToken }),
  deleteTaskPushNotificationConfig: (request) => ({
    id: request.taskId,
    pushNotificationConfigId: request.id,
  }),
  getExtendedAgentCard: () => ({}),
  callMethod: encodeMethodCall,
};
