import { A2AError } from "../../protocol/internal.js";
import type { CallContext } from "../../protocol/internal.js";
import type { Owner, Scope, Store, StoredTask, TaskRecord } from "../../store/internal.js";
import { largeBytes } from "../log/fold-stored.js";
import { clientTaskKey } from "../log/task-identity.js";
import type { RuntimeSettings } from "../settings.js";

/** Whose tasks a call can reach: those of its owner; for operators those of a tenant, or of all tenants. */
export interface Access {
  readonly owner: Owner;
  readonly operates?: { readonly tenant?: string };
}

/** The owner of everything that a call creates. */
export function ownerOf(call: CallContext): Owner {
  return { tenant: call.tenant ?? "", subject: call.principal?.subject ?? "" };
}

/** The owner of everything that a call creates with an agent, and the agent. */
export function scopeOf(call: CallContext, agent: string): Scope {
  return { tenant: call.tenant ?? "", subject: call.principal?.subject ?? "", agent };
}

/** Which tasks a call can read, watch and cancel. Every other operation is for the owner of a task alone. */
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
  // Callers choose the tenant of a call, so the scope has to name it too.
  const isOperator = tenant !== "" && scopes.includes(`${operatorScope}:${tenant}`);
  return isOperator ? { owner, operates: { tenant } } : { owner };
}

/** True for anonymous callers where callers authenticate. They all share one owner. */
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

/** The record of a task that the caller can reach, by its public id. */
export function findTask(
  store: Store,
  agent: string,
  access: Access,
  id: string,
): Promise<TaskRecord | undefined> {
  return findByEitherKey(agent, access, id, async (key) => {
    const record = await store.loadRecord(key);
    return isVisible(record, agent, access) ? record : undefined;
  });
}

/** A stored task that the caller can reach, by its public id. The tail of a large one may be cut. */
export function loadTask(
  store: Store,
  agent: string,
  access: Access,
  id: string,
): Promise<StoredTask | undefined> {
  return findByEitherKey(agent, access, id, async (key) => {
    const stored = await store.load(key, largeBytes);
    return isVisible(stored?.record, agent, access) ? stored : undefined;
  });
}

/** Looks for a task under the id that this server gave it, then under an id that its owner chose. */
async function findByEitherKey<T>(
  agent: string,
  { owner }: Access,
  id: string,
  look: (key: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  // A lone surrogate is no Unicode: a store may replace it and find another task.
  if (!id.isWellFormed()) return undefined;
  return (await look(id)) ?? look(clientTaskKey({ ...owner, agent }, id));
}

/** Whether a caller can reach a task at an agent. Every way to a task comes through here. */
export function isVisible(
  record: Pick<TaskRecord, "agent" | "owner"> | undefined,
  agent: string,
  access: Access,
): boolean {
  return record?.agent === agent && mayReach(access, record.owner);
}

function mayReach({ owner, operates }: Access, other: Owner): boolean {
  if (owner.tenant === other.tenant && owner.subject === other.subject) return true;
  if (operates === undefined) return false;
  return operates.tenant === undefined || operates.tenant === other.tenant;
}
