import type { Owner } from "../../store/internal.js";

/**
 * Clients of 0.1 choose their tasks' ids. Such an id means something only among its owner's tasks, so
 * the store keeps it under a key that holds the owner: two owners may choose the same, and neither
 * learns of the other. Ids made here are unique by themselves and are their own keys.
 */
const mark = "client:";

export function clientTaskKey(owner: Owner, id: string): string {
  const parts = [owner.tenant, owner.subject, id].map(encodeURIComponent);
  return `${mark}${parts.join("/")}`;
}

/** The id that callers see. */
export function publicTaskId(key: string): string {
  if (!key.startsWith(mark)) return key;
  return decodeURIComponent(key.slice(key.lastIndexOf("/") + 1));
}
