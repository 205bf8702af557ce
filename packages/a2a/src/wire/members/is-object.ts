/** True for a JSON object, whose members are then unknown. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True when the member is there; `null` counts as absent. */
export function hasMember(source: Readonly<Record<string, unknown>>, name: string): boolean {
  return (source[name] ?? null) !== null;
}
