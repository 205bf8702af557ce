import { pushDetails, pushRankOf } from "../../../store/internal.js";
import type { FinalConfig } from "../history.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/**
 * The first arrivals of notifications ascend for each configuration. Once nothing waits, each one that is owed has
 * arrived or was given up.
 */
export function* checkPush(history: TracedHistory): Iterable<Violation> {
  const { arrivals, end, traces } = history;
  const arrived = new Map<string, Set<number>>();
  const highest = new Map<string, number>();
  for (const { taskId, configId, sequence } of arrivals.toSorted((a, b) => a.at - b.at)) {
    const key = keyOf(taskId, configId);
    const known = arrived.get(key) ?? new Set<number>();
    arrived.set(key, known);
    const last = highest.get(key) ?? 0;
    if (!known.has(sequence) && sequence < last) {
      const message = `configuration ${configId} got event ${sequence} for the first time after event ${last}`;
      yield { invariant: "push", taskId, message };
    }
    known.add(sequence);
    highest.set(key, Math.max(last, sequence));
    if (sequence > (traces.get(taskId)?.task.log.length ?? 0)) {
      const message = `configuration ${configId} got event ${sequence}, which the log does not have`;
      yield { invariant: "push", taskId, message };
    }
  }
  if (end.outbox.waiting > 0) return;
  for (const { taskId, configId, sequence } of end.outbox.buried) {
    const key = keyOf(taskId, configId);
    arrived.set(key, (arrived.get(key) ?? new Set()).add(sequence));
  }
  for (const config of end.configs) {
    // What waited for a task that was deleted is deleted too.
    if (traces.get(config.taskId)?.task.isDeleted === true) continue;
    yield* checkConfig(config, history, arrived.get(keyOf(config.taskId, config.configId)));
  }
}

/** Without a known beginning, notifications are owed from the first that arrived. */
function* checkConfig(
  { taskId, configId, detail, since }: FinalConfig,
  { traces }: TracedHistory,
  arrived: ReadonlySet<number> = new Set(),
): Iterable<Violation> {
  const from = since === undefined ? Math.min(...arrived) : since + 1;
  const rank = pushDetails.indexOf(detail);
  for (const { sequence, event } of traces.get(taskId)?.task.log ?? []) {
    if (sequence < from || pushRankOf(event) > rank || arrived.has(sequence)) continue;
    const message = `event ${sequence} neither arrived at configuration ${configId} nor was given up`;
    yield { invariant: "push", taskId, message };
  }
}

function keyOf(taskId: string, configId: string): string {
  return `${taskId}\n${configId}`;
}
