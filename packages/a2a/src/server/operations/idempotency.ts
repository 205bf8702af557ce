import { A2AError } from "../../protocol/internal.js";
import type { CallContext, Message, SendMessageRequest } from "../../protocol/internal.js";
import type { IdempotencyClaim, Owner } from "../../store/internal.js";
import type { LiveHandle } from "../log/live-tasks.js";
import type { RunEnvironment } from "../run-environment.js";
import type { RuntimeSettings } from "../settings.js";
import { isUnknownOwner, ownerOf } from "./access.js";

const deletionBatch = 500;

/**
 * What a call is known by when it is repeated; `undefined` for one that is another each time. Where callers
 * are known, those who are not have no key: they share one owner, and whoever guesses another's key would
 * get its answer.
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

/** The claim of a call on its key: the key, and what the message says, whatever ids it is sent with. */
export async function claimOf(
  { clock, settings }: RunEnvironment,
  request: SendMessageRequest,
  { key, dialect }: { readonly key: string; readonly dialect: string | undefined },
): Promise<IdempotencyClaim> {
  const { messageId: _, ...message } = request.message;
  const { taskId: __, ...untied } = message;
  // In 0.1 callers give a new task its id, and every attempt another.
  const said = JSON.stringify(dialect === "0.1" ? untied : message);
  return { key, requestHash: await hash(said), expiresAt: clock.now() + settings.idempotencyMs };
}

/** The result of the call that used the key first. */
export async function findRepeated(
  { store, clock, lives }: RunEnvironment,
  owner: Owner,
  claim: IdempotencyClaim,
): Promise<{ readonly reply: Message } | { readonly handle: LiveHandle } | undefined> {
  const result = await store.loadIdempotentResult(owner, claim.key, clock.now());
  if (result === undefined) return undefined;
  if (result.requestHash !== claim.requestHash) {
    const message = "the idempotency key was used for another message; use a new one";
    throw new A2AError("INVALID_PARAMS", message);
  }
  if (result.reply !== undefined) return { reply: result.reply };
  const handle = result.taskId === undefined ? undefined : await lives.open(result.taskId);
  return handle && { handle };
}

/** A key that has expired is in the way of its next use until it is deleted. */
export async function freeExpiredKey(
  { store, clock }: RunEnvironment,
  owner: Owner,
  { key }: IdempotencyClaim,
): Promise<void> {
  const isTaken = async (now: number): Promise<boolean> =>
    (await store.loadIdempotentResult(owner, key, now)) !== undefined;
  while ((await isTaken(0)) && !(await isTaken(clock.now()))) {
    await store.deleteExpiredKeys(clock.now(), deletionBatch);
  }
}

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
