import type { Part } from "@parley/a2a";

/** About how many bytes a value takes as JSON. It walks in a loop, because agents may nest deeper than the stack holds. */
export function sizeOf(value: unknown): number {
  let size = 0;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one === "string") size += one.length + 2;
    else if (typeof one !== "object" || one === null) size += 5;
    else {
      size += 2;
      for (const [name, member] of Object.entries(one)) {
        if (member === undefined) continue;
        size += Array.isArray(one) ? 1 : name.length + 4;
        pending.push(member);
      }
    }
  }
  return size;
}

/** About how many bytes of content a part carries. */
export function contentSize(part: Part): number {
  if (part.text !== undefined) return part.text.length;
  if (part.raw !== undefined) return Math.floor((part.raw.length * 3) / 4);
  return part.url === undefined ? sizeOf(part.data) : part.url.length;
}
