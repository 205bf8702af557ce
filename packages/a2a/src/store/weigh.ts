/** Roughly how many bytes a value takes up in a log: the characters of its JSON, without escapes. */
export function weigh(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 4;
  let characters = 2;
  if (Array.isArray(value)) {
    for (const item of value) characters += weigh(item) + 1;
    return characters;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    if (members[name] !== undefined) characters += name.length + weigh(members[name]) + 4;
  }
  return characters;
}
