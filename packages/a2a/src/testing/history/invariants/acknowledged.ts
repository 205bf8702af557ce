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

/** The worst doubt wins: one answer among repeated calls is an answer, one lost answer makes refusals doubtful. */
const ranks: Record<CallOutcome, number> = { refused: 0, unknown: 1, answered: 2 };

function* checkMessages({ calls, holders }: TracedHistory): Iterable<Violation> {
  const best = new Map<string, { readonly call: HistoryCall; readonly rank: number }>();
  for (const call of calls) {
    if (call.operation !== "send" || call.messageId === undefined) continue;
    const rank = ranks[call.outcome ?? "unknown"];
    const known = best.get(call.messageId);
    if (known === undefined || known.rank < rank) best.set(call.messageId, { call, rank });
  }
  for (const [messageId, { call, rank }] of best) {
    const held = holders.get(messageId) ?? [];
    const taskId = call.taskId ?? held[0];
    const about = taskId === undefined ? {} : { taskId };
    const found = `message ${messageId} was ${call.outcome ?? "not answered"} and is in the log ${held.length} times`;
    // An answer without a task is a direct reply, which has no log.
    const isLost = rank === 2 && call.taskId !== undefined && held.length === 0;
    const isFalse = rank === 0 && held.length > 0;
    if (isLost || isFalse || held.length > 1) {
      const wanted = isFalse ? "it should not be there" : "it should be there once";
      yield { invariant: "acknowledged", ...about, message: `${found}; ${wanted}` };
    } else if (rank === 2 && call.taskId !== undefined && held[0] !== call.taskId) {
      const message = `message ${messageId} was answered with task ${call.taskId} and is in the log of ${String(held[0])}`;
      yield { invariant: "acknowledged", ...about, message };
    }
  }
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
