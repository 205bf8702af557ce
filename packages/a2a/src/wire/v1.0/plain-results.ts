import type { ListTaskPushNotificationConfigsResponse } from "../../protocol/index.js";
import { array, implicit, object, string } from "../../protocol/parse/index.js";
import type { Codec } from "../codec.js";
import { sendResultOf, taskListOf } from "../result-parsers.js";
import { decodePushNotificationConfig } from "./push-notification-config.js";
import { decodeEvent } from "./stream-response.js";
import { decodeTask } from "./task.js";

const configList = object<ListTaskPushNotificationConfigsResponse>({
  configs: implicit(array(decodePushNotificationConfig)),
  nextPageToken: implicit(string),
});

/** All but the card, which takes as much to read as everything else together. */
export const decodePlainResult: Omit<Codec["decodeResult"], "getExtendedAgentCard"> = {
  sendMessage: sendResultOf(decodeEvent),
  getTask: decodeTask,
  listTasks: taskListOf(decodeTask),
  cancelTask: decodeTask,
  createTaskPushNotificationConfig: decodePushNotificationConfig,
  getTaskPushNotificationConfig: decodePushNotificationConfig,
  listTaskPushNotificationConfigs: configList,
  deleteTaskPushNotificationConfig: () => undefined,
};
