import { checkPushConfigs, checkUsage, limitsUsage } from "../../limits.js";
import type { Limits } from "../../limits.js";
import type { Scope } from "../../task-record.js";
import { sumUsage } from "../statements/counters.js";
import { selectBeside } from "../statements/push-configs.js";
import type { WriteSession } from "./write-session.js";

/** Throws when a subject keeps as much as it may. Counts what this transaction has added. */
export function checkLimits(
  session: WriteSession,
  { subject, agent }: Pick<Scope, "subject" | "agent">,
  limits: Limits,
  adds: "task" | "part",
): void {
  if (!limitsUsage(limits)) return;
  session.flush();
  checkUsage(sumUsage(session.db, subject, agent), limits, adds);
}

/** Throws when a task may have no further push configuration. `undefined`: a new task, which has none. */
export function checkConfigs(
  { db }: WriteSession,
  task: number | undefined,
  configId: string,
  limits: Limits,
): void {
  if (task === undefined) return checkPushConfigs(0, limits);
  const { others, bytes } = selectBeside(db, task, configId);
  if (bytes === null) checkPushConfigs(others, limits);
}
