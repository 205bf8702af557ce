import { A2AError } from "../../protocol/internal.js";

type Unsupported =
  | "listTasks"
  | "listTaskPushNotificationConfigs"
  | "deleteTaskPushNotificationConfig"
  | "getExtendedAgentCard";

/** The operations that 0.1 does not have. The codec function of each throws `UNSUPPORTED_OPERATION`. */
export const unsupported: Readonly<Record<Unsupported, () => never>> = {
  listTasks: refuse("listTasks"),
  listTaskPushNotificationConfigs: refuse("listTaskPushNotificationConfigs"),
  deleteTaskPushNotificationConfig: refuse("deleteTaskPushNotificationConfig"),
  getExtendedAgentCard: refuse("getExtendedAgentCard"),
};

function refuse(operation: Unsupported): () => never {
  return () => {
    const message = `version 0.1 of the protocol has no operation ${operation}`;
    throw new A2AError("UNSUPPORTED_OPERATION", message, {
      details: { metadata: { operation } },
    });
  };
}
