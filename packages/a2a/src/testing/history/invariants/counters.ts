import type { CountedTasks, FinalTask } from "../history.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/** What the store counts is what a recount finds, and no idempotency key leads to two tasks. */
export function* checkCounters({
  end,
  calls,
  holders,
  traces,
}: TracedHistory): Iterable<Violation> {
  const recount = new Map<string, number>();
  for (const { record, isDeleted } of end.tasks) {
    if (isDeleted === true) continue;
    for (const key of keysOf(record)) recount.set(key, (recount.get(key) ?? 0) + 1);
  }
  for (const counted of end.counts) {
    const found = recount.get(keyOf(counted)) ?? 0;
    if (found === counted.tasks) continue;
    const { agent, subject = "any", state = "any" } = counted;
    const message = `the store counts ${counted.tasks} tasks of agent ${agent} (subject ${subject}, state ${state}); it has ${found}`;
    yield { invariant: "counters", message };
  }
  const tasks = new Map<string, Set<string>>();
  for (const { key, taskId, messageId = "" } of calls) {
    if (key === undefined) continue;
    const known = tasks.get(key) ?? new Set<string>();
    tasks.set(key, known);
    for (const one of [
      ...(taskId === undefined ? [] : [taskId]),
      ...(holders.get(messageId) ?? []),
    ]) {
      // A key is deleted with its task, and may lead to another one then.
      if (traces.get(one)?.task.isDeleted !== true) known.add(one);
    }
  }
  for (const [key, [taskId = "", ...others]] of tasks) {
    if (others.length === 0) continue;
    const message = `the key ${key} leads to ${[taskId, ...others].join(" and ")}`;
    yield { invariant: "counters", taskId, message };
  }
}

/** All the counts in which a task is. */
function keysOf({ agent, owner, state }: FinalTask["record"]): readonly string[] {
  const { subject } = owner;
  return [{}, { subject }, { state }, { subject, state }].map((of) => keyOf({ agent, ...of }));
}

function keyOf({ agent, subject, state }: Omit<CountedTasks, "tasks">): string {
  return JSON.stringify([agent, subject, state]);
}
