import { consoleLog } from "../protocol/telemetry/internal.js";
import type { Log, LogLevel } from "../protocol/internal.js";
import type { LogEventName } from "../protocol/telemetry/internal.js";
import { isStoreFault } from "../store/internal.js";
import { LogWentBack } from "./log/log-went-back.js";
import { TaskGone } from "./log/task-gone.js";
import { publicTaskId } from "./log/task-identity.js";
import type { Report } from "./run-environment.js";

/** What a report is about where that is no task, and the event of the log that tells it. */
const subjects: Readonly<Record<string, readonly [LogLevel, LogEventName]>> = {
  clock: ["warn", "clock.skewed"],
  renew: ["warn", "lease.unrenewed"],
  recover: ["warn", "upkeep.failed"],
  delete: ["warn", "upkeep.failed"],
  wait: ["warn", "upkeep.failed"],
  "look for answers": ["warn", "upkeep.failed"],
  push: ["warn", "push.failed"],
  store: ["warn", "store.notice"],
  bus: ["warn", "bus.notice"],
};

/** Reports to the log. */
export function reportTo(log: Log): Report {
  return (err, about, reference, call) => {
    const subject = subjects[about];
    if (subject !== undefined) {
      const [level, event] = subject;
      // A notice is written for people, and where it was made tells them nothing.
      const isNotice = event.endsWith(".notice") || event === "clock.skewed";
      const told = isNotice && err instanceof Error ? { msg: err.message } : { work: about, err };
      return log(level, event, told);
    }
    const { requestId, trace } = call ?? {};
    const within = { ...(requestId && { requestId }), ...(trace && { trace }) };
    if (about === "") {
      return log("error", "call.failed", { ...(reference && { reference }), ...within, err });
    }
    const taskId = publicTaskId(about);
    if (err instanceof LogWentBack || err instanceof TaskGone)
      return log("error", "task.lost", { taskId, err });
    if (reference !== undefined)
      return log("error", "run.failed", { taskId, reference, ...within, err });
    log("warn", "run.warned", { taskId, ...within, err });
  };
}

/**
 * A report that throws: what it was about must not end the process, or keep a task from its end. A fault of the store
 * fails much at once, and the store has reported it.
 */
export function safely(report: Report): Report {
  return (error, taskId, reference, call) => {
    if (isStoreFault(error)) return;
    try {
      report(error, taskId, reference, call);
    } catch (failure) {
      const fallback = reportTo(consoleLog);
      fallback(error, taskId, reference, call);
      fallback(failure, taskId, reference);
    }
  };
}
