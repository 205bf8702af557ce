import { A2AError } from "../../protocol/internal.js";
import type { CallContext } from "../../protocol/internal.js";
import type { Owner, Store, StoredTask, TaskRecord } from "../../store/internal.js";
import { clientTaskKey } from "../log/task-identity.js";
import type { RuntimeSettings } from "../settings.js";

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
export function findTask(
  store: Store,
  agent: string,
  access: Access,
  id: string,
): Promise<TaskRecord | undefined> {
  return findByEitherKey(access, id, async (key) => {
    const record = await store.loadRecord(key);
    return isVisible(record, agent, access) ? record : undefined;
  });
}

/** All of a task the caller may see. */
export function loadTask(
  store: Store,
  agent: string,
  access: Access,
  id: string,
): Promise<StoredTask | undefined> {
  return findByEitherKey(access, id, async (key) => {
    const stored = await store.load(key);
    return isVisible(stored?.record, agent, access) ? stored : undefined;
  });
}

/** Tasks are kept by the id that this server gave them, or by one that their owner chose. */
async function findByEitherKey<T>(
  { owner }: Access,
  id: string,
  look: (key: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  // What is no Unicode is no id, and no store could tell it from another.
  if (!id.isWellFormed()) return undefined;
  return (await look(id)) ?? look(clientTaskKey(owner, id));
}

function isVisible(record: TaskRecord | undefined, agent: string, access: Access): boolean {
  return record?.agent === agent && reaches(access, record.owner);
}

function reaches({ owner, operates }: Access, other: Owner): boolean {
  if (owner.tenant === other.tenant && owner.subject === other.subject) return true;
  if (operates === undefined) return false;
  return operates.tenant === undefined || operates.tenant === other.tenant;
}
