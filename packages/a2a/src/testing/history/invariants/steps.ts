import type { TaskTrace } from "../task-trace.js";
import type { TracedHistory } from "../traced-history.js";
import type { Violation } from "../violation.js";

/** Each step of a run has one recorded result, which its work has made, and every repeat of the run returned that. */
export function* checkSteps({ traces, effects }: TracedHistory): Iterable<Violation> {
  const recorded = new Map<string, ReadonlySet<string>>();
  for (const [taskId, trace] of traces) {
    const { results, doubled } = stepsOf(trace);
    for (const [name, found] of results) recorded.set(`${taskId}\n${name}`, found);
    for (const name of doubled) {
      yield { invariant: "steps", taskId, message: `${name} is recorded more than once` };
    }
  }
  const done = new Map<string, Set<string>>();
  for (const { kind, taskId, step, result } of effects) {
    const key = `${taskId}\n${step}`;
    if (kind === "done") {
      const known = done.get(key);
      if (known === undefined) done.set(key, new Set([result]));
      else known.add(result);
    } else if (recorded.get(key)?.has(result) !== true) {
      const message = `step ${step} returned ${result}, which is not what the log has recorded`;
      yield { invariant: "steps", taskId, message };
    }
  }
  for (const [key, made] of done) {
    const [taskId = "", step = ""] = key.split("\n");
    for (const result of recorded.get(key) ?? []) {
      if (made.has(result)) continue;
      const message = `the recorded result ${result} of step ${step} is none that its work has made`;
      yield { invariant: "steps", taskId, message };
    }
  }
}

/** The recorded results by the name of the step, as JSON, and the steps that are recorded twice in one run. */
function stepsOf({ task }: TaskTrace) {
  const results = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const doubled = new Set<string>();
  let run = 0;
  for (const { event } of task.log) {
    if (event.kind === "run-started") ({ run } = event);
    if (event.kind !== "step-recorded") continue;
    const { name, nth = event.position ?? 1, result = null } = event;
    const key = `step ${name} (number ${nth} of run ${run})`;
    if (seen.has(key)) doubled.add(key);
    seen.add(key);
    const known = results.get(name) ?? new Set<string>();
    results.set(name, known.add(JSON.stringify(result)));
  }
  return { results, doubled };
}
