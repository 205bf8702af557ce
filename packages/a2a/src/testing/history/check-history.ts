import type { History } from "./history.js";
import { checkAcknowledged } from "./invariants/acknowledged.js";
import { checkCounters } from "./invariants/counters.js";
import { checkLog } from "./invariants/log.js";
import { checkOrder } from "./invariants/order.js";
import { checkPush } from "./invariants/push.js";
import { checkQuiet } from "./invariants/quiet.js";
import { checkSteps } from "./invariants/steps.js";
import { checkStreams } from "./invariants/streams.js";
import { traceHistory } from "./traced-history.js";
import type { Violation } from "./violation.js";

const checks = [
  checkAcknowledged,
  checkStreams,
  checkOrder,
  checkLog,
  checkSteps,
  checkPush,
  checkCounters,
  checkQuiet,
];

/**
 * Checks what callers, watchers, steps and receivers saw of a cluster against the logs that its store holds in the
 * end. Returns everything that must not be; an empty list when all is well. Takes time by the size of the history.
 */
export function checkHistory(history: History): readonly Violation[] {
  const traced = traceHistory(history);
  return checks.flatMap((check) => Array.from(check(traced)));
}
