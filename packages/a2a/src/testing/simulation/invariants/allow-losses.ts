import type { Found } from "./found.js";

/** What may be wrong with a task of which a failover has lost something: whoever had seen that saw something else than the log. */
const ofTheLost: ReadonlySet<string> = new Set([
  "acknowledged",
  "streams",
  "order",
  "steps",
  "push",
  // A key is lost with its task, and leads to another one when it comes again. Wrong counts name no task, and stay.
  "counters",
]);
/** And with one whose claim was lost: the same epoch is given a second time, and both nodes write until one of them notices. */
const ofLostClaims: ReadonlySet<string> = new Set([...ofTheLost, "log", "generation"]);

interface Losses {
  readonly lost: ReadonlySet<string>;
  readonly lostClaims: ReadonlySet<string>;
}

/** Leaves out what a loss of the store explains, of the tasks that it concerns, and nothing else. */
export function withoutLosses(
  found: readonly Found[],
  { lost, lostClaims }: Losses,
): readonly Found[] {
  const isExplained = ({ invariant, message }: Found): boolean =>
    Array.from(lost).some((taskId) => {
      const allowed = lostClaims.has(taskId) ? ofLostClaims : ofTheLost;
      return allowed.has(invariant) && message.includes(taskId);
    });
  return lost.size === 0 ? found : found.filter((one) => !isExplained(one));
}
