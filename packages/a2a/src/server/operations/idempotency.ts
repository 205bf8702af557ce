import { A2AError } from "../../protocol/internal.js";
import type { CallContext, Message, SendMessageRequest } from "../../protocol/internal.js";
import type { IdempotencyClaim, Scope } from "../../store/internal.js";
import type { LiveHandle } from "../log/live-tasks.js";
import type { RunEnvironment } from "../run-environment.js";
import type { RuntimeSettings } from "../settings.js";
import { isUnknownOwner, isVisible, ownerOf } from "./access.js";

const deletionBatch = 500;

/**
 * The key by which a repeated call is recognized; `undefined` for calls that are never recognized. Anonymous
 * callers have no key where callers authenticate: they share one owner, and one that guesses another's key would
 * get its result.
 */
export function repeatableKeyOf(
  { message }: SendMessageRequest,
  call: CallContext,
  settings: RuntimeSettings,
): string | undefined {
  const { idempotencyKey } = call;
  if (idempotencyKey === undefined && !settings.idempotentMessageIds) return undefined;
  if (isUnknownOwner(ownerOf(call), settings)) return undefined;
  if (idempotencyKey !== undefined) return `key:${idempotencyKey}`;
  return `message:${JSON.stringify([message.taskId ?? "", message.messageId])}`;
}

/** A call's claim on its key: the key, and a hash of the message without its ids. */
export async function claimOf(
  { clock, settings, crypto }: RunEnvironment,
  request: SendMessageRequest,
  { key, dialect }: { readonly key: string; readonly dialect: string | undefined },
): Promise<IdempotencyClaim> {
  const { messageId: _, ...message } = request.message;
  const { taskId: __, ...untied } = message;
  // Callers of 0.1 choose the id of a new task, and choose another one for every attempt.
  const content = JSON.stringify(dialect === "0.1" ? untied : message);
  const requestHash = await crypto.digest(content);
  return { key, requestHash, expiresAt: clock.now() + settings.idempotencyMs };
}

/** The result of the first call with the key, if there was one. */
export async function findRepeated(
  { store, clock, liveTasks }: RunEnvironment,
  scope: Scope,
  claim: IdempotencyClaim,
): Promise<{ readonly reply: Message } | { readonly handle: LiveHandle } | undefined> {
  const result = await store.loadIdempotentResult(scope, claim.key, clock.now());
  if (result === undefined) return undefined;
  if (result.requestHash !== claim.requestHash) {
    const message = "the idempotency key was used for another message; use a new key";
    throw new A2AError("INVALID_PARAMS", message);
  }
  if (result.reply !== undefined) return { reply: result.reply };
  const handle = result.taskId === undefined ? undefined : await liveTasks.open(result.taskId);
  if (handle === undefined) return undefined;
  try {
    if (isVisible(handle.live.identity, scope.agent, { owner: scope })) {
      // Another node may have answered the caller meanwhile: the task is not shown as it was before that.
      await handle.live.refresh();
      return { handle };
    }
  } catch (error) {
    handle.release();
    throw error;
  }
  handle.release();
  return undefined;
}

/** Deletes expired keys until this one is free: an expired key blocks its next use. */
export async function freeExpiredKey(
  { store, clock }: RunEnvironment,
  scope: Scope,
  { key }: IdempotencyClaim,
): Promise<void> {
  const isTaken = async (now: number): Promise<boolean> =>
    (await store.loadIdempotentResult(scope, key, now)) !== undefined;
  while ((await isTaken(0)) && !(await isTaken(clock.now()))) {
    await store.deleteExpiredKeys(clock.now(), deletionBatch);
  }
}
