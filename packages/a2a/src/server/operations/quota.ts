import { checkUsage } from "../../store/internal.js";
import type { StoreLimits, Scope } from "../../store/internal.js";
import type { RunEnvironment } from "../run-environment.js";
import type { RuntimeSettings } from "../settings.js";

/** How many configurations a task may have. */
export const maxPushConfigs = 100;

/** What a caller may keep with this agent, as the store checks it with every write that brings it along. */
export function limitsOf({
  maxTasksPerPrincipal = Infinity,
  maxBytesPerPrincipal = Infinity,
}: RuntimeSettings): StoreLimits {
  return {
    maxPushConfigs,
    ...(maxTasksPerPrincipal !== Infinity && { maxTasks: maxTasksPerPrincipal }),
    ...(maxBytesPerPrincipal !== Infinity && { maxBytes: maxBytesPerPrincipal }),
  };
}

/**
 * Refuses a call of a caller that keeps as much as it may, before anything is run for it. Of calls that arrive at the
 * same moment this may admit too many; their writes are checked again.
 */
export async function checkQuota(
  { store }: Pick<RunEnvironment, "store">,
  { subject, agent }: Scope,
  limits: StoreLimits,
  adds: "task" | "part",
): Promise<void> {
  checkUsage(await store.loadUsage(subject, agent), limits, adds);
}
