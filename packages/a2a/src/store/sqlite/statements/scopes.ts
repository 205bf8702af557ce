import type { Scope } from "../../task-record.js";
import type { Connection } from "../connection.js";

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

/** Deletes a scope with nothing in it, so that the names of owners who have nothing are not kept. */
export function deleteScopeIfEmpty(db: Connection, scope: number): void {
  db.run("DELETE FROM counters WHERE scope = ? AND tasks = 0 AND bytes = 0", scope);
  db.run(
    `DELETE FROM scopes WHERE scope = ?
     AND scope NOT IN (SELECT scope FROM counters WHERE scope = ?)
     AND scope NOT IN (SELECT scope FROM idempotency_keys WHERE scope = ?)`,
    scope,
    scope,
    scope,
  );
}

export function selectScope(db: Connection, scope: number): Scope {
  const sql = "SELECT tenant, subject, agent FROM scopes WHERE scope = ?";
  const row = db.get<Scope>(sql, scope);
  if (row === undefined) throw new Error(`there is no scope ${scope}`);
  return row;
}
