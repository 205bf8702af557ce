import { A2AError } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";
import type { RunEnvironment } from "../run-environment.js";
import type { RuntimeSettings } from "../settings.js";

/** Only retention deletes tasks, so a caller with too many has to wait for it. */
const retryAfterSeconds = 3600;

/** False when nothing limits what a caller keeps, so that usage need not be loaded. */
export function hasQuota({
  maxTasksPerPrincipal = Infinity,
  maxBytesPerPrincipal = Infinity,
}: RuntimeSettings): boolean {
  return maxTasksPerPrincipal !== Infinity || maxBytesPerPrincipal !== Infinity;
}

/**
 * Refuses a call of a caller that keeps as much as it may. Loads the usage from the store, so that all nodes
 * count alike; calls that arrive at the same moment may exceed the quota together.
 */
export async function checkQuota(
  { store, settings }: Pick<RunEnvironment, "store" | "settings">,
  agent: string,
  { subject }: Owner,
  adds: "task" | "message",
): Promise<void> {
  const { maxTasksPerPrincipal = Infinity, maxBytesPerPrincipal = Infinity } = settings;
  const { tasks, bytes } = await store.loadUsage(subject, agent);
  if (adds === "task" && tasks >= maxTasksPerPrincipal) {
    throw full(`you have ${tasks} tasks, the limit is ${maxTasksPerPrincipal}`);
  }
  if (bytes >= maxBytesPerPrincipal) {
    throw full(`your tasks take up ${bytes} bytes, the limit is ${maxBytesPerPrincipal}`);
  }
}

function full(message: string): A2AError {
  return new A2AError("RESOURCE_EXHAUSTED", message, { details: { retryAfterSeconds } });
}
