import type {
  JsonObject,
  Operation,
  RequestOf,
  SendMessageConfiguration,
  SendMessageRequest,
} from "../../protocol/internal.js";
import { compact } from "../members/as-json.js";
import { earlierEncoders } from "../members/earlier-encoders.js";
import { encodeLowerTaskState } from "../members/task-state.js";
import { encodeMessage } from "./message.js";
import { encodeConfig, encodeTaskConfig } from "./push-notification-config.js";
import type { Shape } from "./shape.js";

/**
 * Always sends `acceptedOutputModes`, which servers up to 0.2.5 require, and `blocking`, for which
 * servers have different defaults.
 */
function encodeConfiguration(configuration: SendMessageConfiguration): JsonObject {
  const { acceptedOutputModes = [], taskPushNotificationConfig } = configuration;
  return compact({
    acceptedOutputModes,
    blocking: configuration.returnImmediately !== true,
    historyLength: configuration.historyLength,
    pushNotificationConfig: taskPushNotificationConfig && encodeConfig(taskPushNotificationConfig),
  });
}

/** The encoders of requests. They drop parameters that these versions do not have. */
export function requestEncoder(shape: Shape): {
  readonly [O in Operation]: (request: RequestOf<O>) => JsonObject;
} {
  const encodeSend = ({ message, configuration, metadata }: SendMessageRequest): JsonObject =>
    compact({
      message: encodeMessage(message, shape),
      configuration: configuration && encodeConfiguration(configuration),
      metadata,
    });
  return {
    ...earlierEncoders,
    sendMessage: encodeSend,
    sendStreamingMessage: encodeSend,
    listTasks: ({ status, ...request }) =>
      compact({ ...request, tenant: undefined, status: status && encodeLowerTaskState(status) }),
    createTaskPushNotificationConfig: encodeTaskConfig,
    listTaskPushNotificationConfigs: (request) => ({ id: request.taskId }),
  };
}
