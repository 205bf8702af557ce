import type { Operation, RequestOf } from "@parley/a2a";
import { textMessage } from "../support/clients/dialect-client.js";

/** What somebody may have: a task, in a context. */
export interface Belongings {
  readonly taskId: string;
  readonly contextId: string;
}

/** Every operation, on what somebody has. */
export function requestFor<O extends Operation>(
  operation: O,
  { taskId, contextId }: Belongings,
): RequestOf<O> {
  const id = taskId;
  const requests: { readonly [P in Operation]: RequestOf<P> } = {
    sendMessage: textMessage("Lisbon", { messageId: "m1", taskId }),
    sendStreamingMessage: textMessage("Lisbon", { messageId: "m1", taskId }),
    getTask: { id },
    listTasks: { contextId },
    cancelTask: { id },
    subscribeToTask: { id },
    createTaskPushNotificationConfig: { taskId, id: "c2", url: "https://client.example/hook" },
    getTaskPushNotificationConfig: { taskId, id: "c1" },
    listTaskPushNotificationConfigs: { taskId },
    deleteTaskPushNotificationConfig: { taskId, id: "c1" },
    getExtendedAgentCard: {},
    callMethod: { method: "acme/quote", params: { taskId } },
  };
  return requests[operation] as RequestOf<O>;
}
