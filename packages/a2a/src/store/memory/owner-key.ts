import type { Owner, Scope } from "../task-record.js";

/** A key for a map, unique per owner, whatever characters its names contain. */
export function ownerKey({ tenant, subject }: Owner): string {
  return JSON.stringify([tenant, subject]);
}

/** A key for a map, unique per owner, agent and name. */
export function scopeKey({ tenant, subject, agent }: Scope, name: string): string {
  return JSON.stringify([agent, tenant, subject, name]);
}
