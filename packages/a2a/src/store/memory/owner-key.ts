import type { Owner } from "../task-record.js";

/** A key for a map, unique per owner and name, whatever characters they contain. */
export function ownerKey({ tenant, subject }: Owner, name = ""): string {
  return JSON.stringify([tenant, subject, name]);
}
