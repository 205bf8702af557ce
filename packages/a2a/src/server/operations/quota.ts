import { A2AError } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";
import type { RunEnvironment } from "../run-environment.js";
import type { RuntimeSettings } from "../settings.js";

/** Tasks are deleted by retention, so who has too many waits for that. */
const retryAfterSeconds = 3600;

/** True when there is a bound to what a caller may keep; else nothing has to be asked for. */
export function hasQuota({
  maxTasksPerPrincipal = Infinity,
  maxBytesPerPrincipal = Infinity,
}: RuntimeSettings): boolean {
  return maxTasksPerPrincipal !== Infinity || maxBytesPerPrincipal !== Infinity;
}

/**
 * Refuses what would make a caller keep more than it may. Looks at what is stored, so that all nodes count
 * alike; calls at the same moment may together go beyond by what they bring.
 */
export async function checkQuota(
  { store, settings }: Pick<RunEnvironment, "store" | "settings">,
  agent: string,
  { subject }: Owner,
  makes: "task" | "message",
): Promise<void> {
  const { maxTasksPerPrincipal = Infinity, maxBytesPerPrincipal = Infinity } = settings;
  const { tasks, bytes } = await store.loadUsage(subject, agent);
  if (makes === "task" && tasks >= maxTasksPerPrincipal) {
    throw full(`you keep ${tasks} tasks, and may keep ${maxTasksPerPrincipal}`);
  }
  if (bytes >= maxBytesPerPrincipal) {
    throw full(`your tasks take up ${bytes} bytes, and may take up ${maxBytesPerPrincipal}`);
  }
}

function full(message: string): A2AError {
  return new A2AError("RESOURCE_EXHAUSTED", message, { details: { retryAfterSeconds } });
}
