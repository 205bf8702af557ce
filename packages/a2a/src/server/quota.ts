import { A2AError } from "../protocol/index.js";
import type { Owner } from "../store/index.js";
import type { RunEnvironment } from "./run-environment.js";

/** What an owner may keep. Tasks are deleted by retention, so a full owner waits for that. */
const retryAfterSeconds = 3600;

/**
 * Refuses what would make an owner keep more than it may. Looks at what is stored, so that all nodes count
 * alike; calls at the same moment may together go beyond by what they bring.
 */
export async function checkQuota(
  { store, settings }: Pick<RunEnvironment, "store" | "settings">,
  agent: string,
  owner: Owner,
  makes: "task" | "message",
): Promise<void> {
  const { maxTasksPerOwner = Infinity, maxBytesPerOwner = Infinity } = settings;
  if (maxTasksPerOwner === Infinity && maxBytesPerOwner === Infinity) return;
  const { tasks, bytes } = await store.loadUsage(owner, agent);
  if (makes === "task" && tasks >= maxTasksPerOwner) {
    throw full(`you keep ${tasks} tasks, and may keep ${maxTasksPerOwner}`);
  }
  if (bytes >= maxBytesPerOwner) {
    throw full(`your tasks take up ${bytes} bytes, and may take up ${maxBytesPerOwner}`);
  }
}

function full(message: string): A2AError {
  return new A2AError("RESOURCE_EXHAUSTED", message, { details: { retryAfterSeconds } });
}
