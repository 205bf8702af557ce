import type { Message, Task } from "../../protocol/internal.js";
import type { Limits, Scope } from "../../store/internal.js";
import type { RunEnvironment } from "../run-environment.js";

/**
 * Keeps a direct reply for a caller before 1.0, which may get it as if it were a task, by the id of its message.
 * It is kept for `idempotencyMs`, under a key that no idempotent call can have.
 */
export async function keepReply(
  { store, clock, settings }: RunEnvironment,
  scope: Scope,
  reply: Message,
  limits: Limits,
): Promise<void> {
  const expiresAt = clock.now() + settings.idempotencyMs;
  const claim = { key: keyOf(reply.messageId), requestHash: "", expiresAt };
  await store.saveReply(scope, claim, reply, limits);
}

/** A kept reply, as a completed task. */
export async function findKeptReply(
  { store, clock }: RunEnvironment,
  scope: Scope,
  messageId: string,
): Promise<Task | undefined> {
  const kept = await store.loadIdempotentResult(scope, keyOf(messageId), clock.now());
  const message = kept?.reply;
  if (message === undefined) return undefined;
  return {
    id: messageId,
    ...(message.contextId !== undefined && { contextId: message.contextId }),
    status: { state: "TASK_STATE_COMPLETED", message },
  };
}

function keyOf(messageId: string): string {
  return `reply:${messageId}`;
}
