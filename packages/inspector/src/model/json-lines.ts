import type { JsonValue } from "@parley/a2a";

/** One line of a JSON value, laid out for people. */
export interface JsonLine {
  /** Where the value is, as a JSON pointer: `/params/message/parts/0`. The last line of a container has that of the container. */
  readonly pointer: string;
  readonly depth: number;
  /** The member's name; absent in arrays, at the root and on closing lines. */
  readonly key?: string;
  readonly kind: "open" | "close" | "folded" | "value";
  /** A bracket, or a value that holds no other. */
  readonly text: string;
  readonly type: "object" | "array" | "string" | "number" | "boolean" | "null";
  /** How many members a container has. */
  readonly size?: number;
  readonly hasComma: boolean;
}

export interface JsonLinesOptions {
  /** Containers that are shown as one line, by pointer. */
  readonly isFolded?: (pointer: string, depth: number, size: number) => boolean;
  /** At most this many lines; the rest is not laid out. */
  readonly limit?: number;
}

interface Place {
  readonly members: readonly (readonly [key: string | undefined, value: JsonValue])[];
  readonly pointer: string;
  readonly type: "object" | "array";
  readonly hasComma: boolean;
  next: number;
}

/**
 * Lays out a value, without recursion: an agent may send ten thousand levels. Returns at most `limit` lines, and whether
 * there are more.
 */
export function jsonLines(
  root: JsonValue,
  { isFolded = () => false, limit = Number.POSITIVE_INFINITY }: JsonLinesOptions = {},
): { readonly lines: readonly JsonLine[]; readonly hasMore: boolean } {
  const lines: JsonLine[] = [];
  const places: Place[] = [];
  const add = (
    key: string | undefined,
    value: JsonValue,
    at: { pointer: string; hasComma: boolean },
  ): void => {
    const { pointer, hasComma } = at;
    const depth = places.length;
    const named = key === undefined ? {} : { key };
    if (typeof value !== "object" || value === null) {
      lines.push({ pointer, depth, ...named, kind: "value", ...leaf(value), hasComma });
      return;
    }
    const members = membersOf(value);
    const type = Array.isArray(value) ? "array" : "object";
    const size = members.length;
    const line = { pointer, depth, ...named, type, size } as const;
    if (size === 0 || isFolded(pointer, depth, size)) {
      const text = type === "array" ? (size === 0 ? "[]" : "[…]") : size === 0 ? "{}" : "{…}";
      lines.push({ ...line, kind: size === 0 ? "value" : "folded", text, hasComma });
      return;
    }
    lines.push({ ...line, kind: "open", text: type === "array" ? "[" : "{", hasComma: false });
    places.push({ members, pointer, type, hasComma, next: 0 });
  };
  add(undefined, root, { pointer: "", hasComma: false });
  for (let place = places.at(-1); place !== undefined; place = places.at(-1)) {
    if (lines.length >= limit) return { lines, hasMore: true };
    const member = place.members[place.next];
    if (member === undefined) {
      places.pop();
      const { pointer, type, hasComma } = place;
      const text = type === "array" ? "]" : "}";
      lines.push({ pointer, depth: places.length, kind: "close", type, text, hasComma });
      continue;
    }
    const [key, value] = member;
    const pointer = `${place.pointer}/${key === undefined ? place.next : escapePointer(key)}`;
    place.next += 1;
    add(key, value, { pointer, hasComma: place.next < place.members.length });
  }
  return { lines, hasMore: false };
}

/** A name as a segment of a JSON pointer. */
export function escapePointer(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function membersOf(value: object): Place["members"] {
  if (Array.isArray(value)) return value.map((member: JsonValue) => [undefined, member] as const);
  return Object.entries(value as Record<string, JsonValue>);
}

function leaf(value: string | number | boolean | null): Pick<JsonLine, "text" | "type"> {
  if (value === null) return { text: "null", type: "null" };
  if (typeof value === "string") return { text: JSON.stringify(value), type: "string" };
  return { text: String(value), type: typeof value === "number" ? "number" : "boolean" };
}
