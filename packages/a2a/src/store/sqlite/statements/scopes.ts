import type { Owner } from "../../task-record.js";
import type { Connection } from "../connection.js";

/** The tasks of one owner with one agent. */
export interface Scope {
  readonly tenant: string;
  readonly subject: string;
  readonly agent: string;
}

export function findScope(db: Connection, { tenant, subject, agent }: Scope): number | undefined {
  return db.get<{ scope: number }>(
    "SELECT scope FROM scopes WHERE tenant = ? AND subject = ? AND agent = ?",
    tenant,
    subject,
    agent,
  )?.scope;
}

export function insertScope(db: Connection, { tenant, subject, agent }: Scope): number {
  return db.run(
    "INSERT INTO scopes (tenant, subject, agent) VALUES (?, ?, ?)",
    tenant,
    subject,
    agent,
  ).rowId;
}

/** Deletes a scope without tasks, so that the names of owners without tasks are not kept. */
export function deleteScopeIfEmpty(db: Connection, scope: number): void {
  db.run("DELETE FROM counters WHERE scope = ? AND tasks = 0", scope);
  db.run(
    "DELETE FROM scopes WHERE scope = ? AND scope NOT IN (SELECT scope FROM counters WHERE scope = ?)",
    scope,
    scope,
  );
}

export function selectOwner(db: Connection, scope: number): Owner {
  const row = db.get<Owner>("SELECT tenant, subject FROM scopes WHERE scope = ?", scope);
  if (row === undefined) throw new Error(`there is no scope ${scope}`);
  return row;
}
