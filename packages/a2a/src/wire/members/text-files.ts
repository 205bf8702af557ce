import type { Part } from "../../protocol/internal.js";

/**
 * The file of a peer that puts the base64 text of a file where its bytes belong. Bytes that are not such text, in its
 * canonical form from end to end, are those of the file.
 */
export function readTextFile(raw: string): string {
  const text = atob(raw);
  try {
    return text !== "" && btoa(atob(text)) === text ? text : raw;
  } catch {
    return raw;
  }
}

/** A task, message, event or request in which the bytes of each file are its base64 text, for a peer that reads them so. */
export function withTextFiles<T>(value: T): T {
  return rewritten(value) as T;
}

/** Members without parts whose content is anybody's. */
const free: ReadonlySet<string> = new Set(["metadata", "configuration"]);

function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (name === "parts") return [name, (member as readonly Part[]).map(withTextFile)];
      return [name, free.has(name) ? member : rewritten(member)];
    }),
  );
}

function withTextFile(part: Part): Part {
  return part.raw === undefined ? part : { ...part, raw: btoa(part.raw) };
}
