import type { Message } from "../../protocol/internal.js";

/**
 * A message with the ids of its task and context. Its members are assigned one by one: V8 gives an object that is
 * spread and then extended a hidden class of its own each time, and all code that reads it becomes slow.
 */
export function placeMessage(message: Message, taskId: string, contextId: string): Message {
  const { messageId, role, parts, referenceTaskIds, extensions, metadata } = message;
  const placed: { -readonly [Name in keyof Message]: Message[Name] } = {
    messageId,
    role,
    parts,
    contextId,
    taskId,
  };
  if (referenceTaskIds !== undefined) placed.referenceTaskIds = referenceTaskIds;
  if (extensions !== undefined) placed.extensions = extensions;
  if (metadata !== undefined) placed.metadata = metadata;
  return placed;
}
