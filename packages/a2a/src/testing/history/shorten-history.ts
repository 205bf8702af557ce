import { checkHistory } from "./check-history.js";
import type { History } from "./history.js";
import type { Violation } from "./violation.js";

/** Whether something of a history is left out. */
type Filter = (about: { readonly taskId?: string }) => boolean;

/**
 * The shortest part of a history that still has a violation: that of its task, without each call, stream, effect and
 * arrival that the violation does not need. Counts of the store are left out, unless they are what is wrong.
 */
export function shortenHistory(history: History, violation: Violation): History {
  const { taskId } = violation;
  const isWrong = (shorter: History): boolean =>
    checkHistory(shorter).some(
      (it) => it.invariant === violation.invariant && it.taskId === taskId,
    );
  if (taskId === undefined) return history;
  const key = history.calls.find((call) => call.taskId === taskId && call.key !== undefined)?.key;
  const ofTask: Filter = (about) => about.taskId === taskId;
  const narrow: History = {
    ...history,
    calls: history.calls.filter((call) => ofTask(call) || (key !== undefined && call.key === key)),
    streams: history.streams.filter(ofTask),
    effects: history.effects.filter(ofTask),
    arrivals: history.arrivals.filter(ofTask),
    end: {
      ...history.end,
      tasks: history.end.tasks.filter(({ record }) => record.taskId === taskId),
      configs: history.end.configs.filter(ofTask),
      outbox: { ...history.end.outbox, buried: history.end.outbox.buried.filter(ofTask) },
      counts: [],
    },
  };
  if (!isWrong(narrow)) return history;
  return drop(
    drop(drop(drop(narrow, "calls", isWrong), "streams", isWrong), "effects", isWrong),
    "arrivals",
    isWrong,
  );
}

type Lists = "calls" | "streams" | "effects" | "arrivals";

/** Without halves, quarters and at last single elements of a list, as long as the violation stays. */
function drop(history: History, list: Lists, isWrong: (shorter: History) => boolean): History {
  let kept: History = history;
  for (let size = Math.ceil(kept[list].length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < kept[list].length;) {
      const shorter = { ...kept, [list]: kept[list].toSpliced(from, size) };
      if (isWrong(shorter)) kept = shorter;
      else from += size;
    }
  }
  return kept;
}
