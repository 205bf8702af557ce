import type { SendMessageConfiguration, SendMessageRequest } from "../protocol/internal.js";
import type { SendOptions } from "./call-options.js";
import { partsOf } from "./content.js";
import type { Content } from "./content.js";
import { pick } from "./pick.js";

/** The request that sends content with a caller's options. */
export async function createSendRequest(
  content: Content,
  options: SendOptions,
  newId: () => string,
): Promise<SendMessageRequest> {
  const configuration: SendMessageConfiguration = pick(
    options,
    "acceptedOutputModes",
    "historyLength",
    "returnImmediately",
    "taskPushNotificationConfig",
  );
  return {
    message: {
      messageId: newId(),
      role: "ROLE_USER",
      parts: await partsOf(content),
      ...pick(options, "taskId", "contextId", "referenceTaskIds", "extensions"),
    },
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...pick(options, "metadata"),
  };
}
