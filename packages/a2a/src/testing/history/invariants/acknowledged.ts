import type { CallOutcome, HistoryCall } from "../history.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/**
 * What was answered is in the log, once; what is in doubt is there at most once; what was refused is not there.
 * Calls that repeat a message count as one.
 */
export function* checkAcknowledged(history: TracedHistory): Iterable<Violation> {
  yield* checkMessages(history);
  for (const call of history.calls) {
    if (call.outcome !== "answered") continue;
    const violation = call.operation === "cancel" ? lostCancel(history, call) : undefined;
    const lost = call.operation === "configure" ? lostConfig(history, call) : violation;
    if (lost !== undefined) yield lost;
  }
}

/** The best outcome wins: one answer among repeated calls is an answer, one lost answer makes refusals doubtful. */
const ranks: Record<CallOutcome, number> = { refused: 0, unknown: 1, answered: 2 };

/** Calls that repeat each other, by their key or else by the id of their message. */
interface Sent {
  best: HistoryCall;
  readonly messageIds: Set<string>;
}

function rankOf({ outcome = "unknown" }: HistoryCall): number {
  return ranks[outcome];
}

function* checkMessages({ calls, holders, traces }: TracedHistory): Iterable<Violation> {
  const groups = new Map<string, Sent>();
  for (const call of calls) {
    const { operation, messageId, key } = call;
    if (operation !== "send" || messageId === undefined) continue;
    const name = key === undefined ? `message ${messageId}` : `message of key ${key}`;
    const sent = groups.get(name) ?? { best: call, messageIds: new Set() };
    groups.set(name, sent);
    sent.messageIds.add(messageId);
    if (rankOf(sent.best) < rankOf(call)) sent.best = call;
  }
  for (const [name, { best, messageIds }] of groups) {
    const held = Array.from(messageIds).flatMap((messageId) => holders.get(messageId) ?? []);
    const kept = held.filter((taskId) => traces.get(taskId)?.task.isDeleted !== true);
    const message = problemOf(best, held, kept.length);
    if (message === undefined) continue;
    const taskId = best.taskId ?? held[0];
    const about = taskId === undefined ? {} : { taskId };
    yield { invariant: "acknowledged", ...about, message: `${name} ${message}` };
  }
}

/** `held` are the tasks that have the message; so many of them are `kept`: the others were deleted, and their keys with them. */
function problemOf(best: HistoryCall, held: readonly string[], kept: number): string | undefined {
  const { outcome = "not answered", taskId } = best;
  const found = `was ${outcome} and is in the log ${held.length} times`;
  if (kept > 1 || new Set(held).size < held.length) return `${found}; it should be there once`;
  if (outcome === "refused" && held.length > 0) return `${found}; it should not be there`;
  // An answer without a task is a direct reply, which has no log.
  if (outcome !== "answered" || taskId === undefined) return undefined;
  if (held.length === 0) return `${found}; it should be there once`;
  return held.includes(taskId)
    ? undefined
    : `was answered with task ${taskId} and is in the log of ${String(held[0])}`;
}

function lostCancel({ traces }: TracedHistory, { taskId = "" }: HistoryCall) {
  const trace = traces.get(taskId);
  if (trace?.canceledAt !== undefined) return undefined;
  const message =
    "a cancel was answered, but the log has neither the request nor the status canceled";
  return { invariant: "acknowledged", taskId, message } as const;
}

function lostConfig({ end }: TracedHistory, { taskId = "", configId = "" }: HistoryCall) {
  const isThere = end.configs.some((it) => it.taskId === taskId && it.configId === configId);
  if (isThere) return undefined;
  const message = `push configuration ${configId} was created, but the store does not have it`;
  return { invariant: "acknowledged", taskId, message } as const;
}
