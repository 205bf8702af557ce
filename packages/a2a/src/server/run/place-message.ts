import type { Message } from "../../protocol/internal.js";

/**
 * A message as one of a task. Written member by member: what is spread and added to has a hidden class
 * of its own each time, and everything that reads it is slow.
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
