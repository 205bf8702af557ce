import { A2AError } from "../protocol/index.js";
import type { CallContext } from "../protocol/index.js";
import type { Owner, Store, TaskRecord } from "../store/index.js";
import type { RuntimeSettings } from "./settings.js";
import { clientTaskKey } from "./task-key.js";

/** Whose tasks a call can reach: its owner's, and as an operator's all of a tenant, or of every tenant. */
export interface Access {
  readonly owner: Owner;
  readonly operates?: { readonly tenant?: string };
}

/** The owner of what a call creates, and of all it can reach. */
export function ownerOf(call: CallContext): Owner {
  return { tenant: call.tenant ?? "", subject: call.principal?.subject ?? "" };
}

/** What a call can read and cancel. All else that is done to a task is for its owner alone. */
export function accessOf(
  call: CallContext,
  { operatorScope }: Pick<RuntimeSettings, "operatorScope">,
): Access {
  const owner = ownerOf(call);
  const scopes = call.principal?.scopes;
  if (scopes === undefined || scopes.length === 0) return { owner };
  if (scopes.includes(operatorScope)) {
    return { owner, operates: call.tenant === undefined ? {} : { tenant: call.tenant } };
  }
  const { tenant } = owner;
  // A caller can name any tenant, so the scope has to name it too.
  const isOperator = tenant !== "" && scopes.includes(`${operatorScope}:${tenant}`);
  return isOperator ? { owner, operates: { tenant } } : { owner };
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
  access: Access,
  id: string,
): Promise<TaskRecord | undefined> {
  // What is no Unicode is no id, and no store could tell it from another.
  if (!id.isWellFormed()) return undefined;
  const isVisible = (record: TaskRecord | undefined): record is TaskRecord =>
    record?.agent === agent && reaches(access, record.owner);
  const record = await store.loadRecord(id);
  if (isVisible(record)) return record;
  const chosen = await store.loadRecord(clientTaskKey(access.owner, id));
  return isVisible(chosen) ? chosen : undefined;
}

function reaches({ owner, operates }: Access, other: Owner): boolean {
  if (owner.tenant === other.tenant && owner.subject === other.subject) return true;
  if (operates === undefined) return false;
  return operates.tenant === undefined || operates.tenant === other.tenant;
}
