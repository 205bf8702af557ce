import type { CallContext, Message, Task } from "../../protocol/internal.js";
import { weigh } from "../../store/internal.js";
import type { Scope, StoreLimits } from "../../store/internal.js";
import type { RunEnvironment } from "../run-environment.js";
import { timestampOf } from "../timestamp.js";

/** The largest message that is kept with its reply, in bytes. The task of a larger one has no history. */
const maxKeptRequestBytes = 64 * 1024;

/** A direct reply as it is kept: with what else a task says of its exchange. */
interface KeptReply extends Message {
  readonly exchange?: {
    readonly timestamp: string;
    /** The dialect of the call. */
    readonly createdIn: string;
    readonly request?: Message;
  };
}

/** The completed task that stands for a direct reply. */
export interface StandIn {
  readonly task: Task;
  /** The dialect of the call that got the reply. */
  readonly createdIn: string | undefined;
}

/**
 * Keeps a direct reply for a caller before 1.0, which may get it as if it were a task, by the id of the message it sent or
 * of the one it got. It is kept for `idempotencyMs`, under keys that no idempotent call can have.
 */
export async function keepReply(
  { store, clock, settings }: RunEnvironment,
  scope: Scope,
  { reply, request, call }: { reply: Message; request: Message; call: CallContext },
  limits: StoreLimits,
): Promise<void> {
  const now = clock.now();
  const { contextId = "" } = reply;
  const kept: KeptReply = {
    ...reply,
    exchange: {
      timestamp: timestampOf(now),
      createdIn: call.dialect ?? call.version,
      ...(weigh(request) <= maxKeptRequestBytes && { request: { ...request, contextId } }),
    },
  };
  const claim = {
    key: keyOf(reply.messageId),
    alias: keyOf(request.messageId),
    requestHash: "",
    expiresAt: now + settings.idempotencyMs,
  };
  await store.saveReply(scope, claim, kept, limits);
}

/** A kept reply, as a completed task. */
export async function findKeptReply(
  { store, clock }: RunEnvironment,
  scope: Scope,
  messageId: string,
): Promise<StandIn | undefined> {
  const kept = await store.loadIdempotentResult(scope, keyOf(messageId), clock.now());
  const reply: KeptReply | undefined = kept?.reply;
  if (reply === undefined) return undefined;
  const { exchange, ...message } = reply;
  const { contextId } = message;
  const state = "TASK_STATE_COMPLETED";
  const task: Task = {
    id: messageId,
    ...(contextId !== undefined && { contextId }),
    status: { state, message, ...(exchange && { timestamp: exchange.timestamp }) },
    ...(exchange?.request !== undefined && { history: [exchange.request] }),
  };
  return { task, createdIn: exchange?.createdIn };
}

function keyOf(messageId: string): string {
  return `reply:${messageId}`;
}
