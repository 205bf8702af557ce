import { A2AError } from "../protocol/index.js";
import type { CallContext } from "../protocol/index.js";
import type { Owner, Store, TaskRecord } from "../store/index.js";
import type { RuntimeSettings } from "./settings.js";
import { clientTaskKey } from "./task-key.js";

/** The owner of what a call creates, and of all it can reach. */
export function ownerOf(call: CallContext): Owner {
  return { tenant: call.tenant ?? "", subject: call.principal?.subject ?? "" };
}

/** True for those who did not say who they are, where others do. */
export function isUnknownOwner(
  { subject }: Owner,
  { hasAuthentication }: Pick<RuntimeSettings, "hasAuthentication">,
): boolean {
  return hasAuthentication && subject === "";
}

export function taskNotFound(id: string): A2AError {
  return new A2AError("TASK_NOT_FOUND", `there is no task ${JSON.stringify(id)}`, {
    details: { metadata: { taskId: id } },
  });
}

/** The record of a task the caller may see, by the id it knows. */
export async function findTask(
  store: Store,
  agent: string,
  owner: Owner,
  id: string,
): Promise<TaskRecord | undefined> {
  // What is no Unicode is no id, and no store could tell it from another.
  if (!id.isWellFormed()) return undefined;
  const isVisible = (record: TaskRecord | undefined): record is TaskRecord =>
    record?.agent === agent && isSameOwner(record.owner, owner);
  const record = await store.loadRecord(id);
  if (isVisible(record)) return record;
  const chosen = await store.loadRecord(clientTaskKey(owner, id));
  return isVisible(chosen) ? chosen : undefined;
}

function isSameOwner(one: Owner, other: Owner): boolean {
  return one.tenant === other.tenant && one.subject === other.subject;
}
