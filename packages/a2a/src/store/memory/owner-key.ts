import type { Owner } from "../task-record.js";

/** A map's key for something of an owner's; different for every owner, whatever their names contain. */
export function ownerKey({ tenant, subject }: Owner, name = ""): string {
  return JSON.stringify([tenant, subject, name]);
}
