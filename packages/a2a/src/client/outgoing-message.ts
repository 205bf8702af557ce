import type {
  CallContext,
  Part,
  ProtocolVersion,
  SendMessageConfiguration,
  SendMessageRequest,
} from "../protocol/internal.js";
import type { CallOptions, Content, ContentItem, SendOptions } from "./call-options.js";
import { pick } from "./pick.js";

/** What a client sends with all calls to an agent. */
export interface CallDefaults {
  readonly version: ProtocolVersion;
  readonly extensions?: readonly string[];
}

/** The context of a call with a caller's options. */
export function createCallContext(
  defaults: CallDefaults,
  options: CallOptions & Pick<SendOptions, "idempotencyKey">,
): CallContext {
  return {
    ...pick(defaults, "version", "extensions"),
    ...pick(options, "extensions", "signal", "idempotencyKey", "serviceParameters", "trace"),
    observer: pick(options, "onExtensions"),
  };
}

/**
 * The options of a message that continues a task. What belongs to the first message is not sent again: its key,
 * and the webhook that it registered.
 */
export function continuing(options: SendOptions, taskId: string): SendOptions {
  const { idempotencyKey: _, contextId: __, taskPushNotificationConfig: ___, ...others } = options;
  return { ...others, taskId };
}

/** A message on its way to the agent. */
export interface OutgoingMessage {
  readonly request: SendMessageRequest;
  readonly call: CallContext;
}

/** The request and the context of a call that sends content with a caller's options. */
export async function createMessage(
  defaults: CallDefaults & { readonly newId: () => string },
  content: Content,
  options: SendOptions,
): Promise<OutgoingMessage> {
  const configuration: SendMessageConfiguration = pick(
    options,
    "acceptedOutputModes",
    "historyLength",
    "returnImmediately",
    "taskPushNotificationConfig",
  );
  const request = {
    message: {
      messageId: defaults.newId(),
      role: "ROLE_USER" as const,
      parts: await Promise.all([content].flat().map(partOf)),
      ...pick(options, "taskId", "contextId", "referenceTaskIds", "extensions"),
    },
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...pick(options, "metadata"),
  };
  return { request, call: createCallContext(defaults, options) };
}

async function partOf(item: ContentItem): Promise<Part> {
  return typeof item === "string" ? { text: item } : (await import("./lazy.js")).toPart(item);
}
