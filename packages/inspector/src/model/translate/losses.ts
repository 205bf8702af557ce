import type { JsonValue } from "@parley/a2a";

/** A value that did not survive, by its place in the model. */
export interface Loss {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue;
  /** What it became; absent when it is gone. */
  readonly became?: JsonValue;
}

/**
 * What of `before` is gone or changed in `after`. Containers are gone as a whole where nothing of them is left. What was
 * added is no loss.
 */
export function findLosses(before: JsonValue, after: JsonValue | undefined): readonly Loss[] {
  const losses: Loss[] = [];
  const pairs: {
    value: JsonValue;
    other: JsonValue | undefined;
    path: readonly (string | number)[];
  }[] = [{ value: before, other: after, path: [] }];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const { value, other, path } = pair;
    if (isContainer(value) && isContainer(other) && Array.isArray(value) === Array.isArray(other)) {
      for (const [key, member] of membersOf(value).reverse()) {
        pairs.push({ value: member, other: memberOf(other, key), path: [...path, key] });
      }
    } else if (other === undefined) {
      if (!isNothing(value)) losses.push({ path, value });
    } else if (!isSame(value, other)) {
      losses.push({ path, value, became: other });
    }
  }
  return losses;
}

/** Leaves the losses out of a value: what survives. */
export function withoutLosses(value: JsonValue, losses: readonly Loss[]): JsonValue {
  const copy = structuredClone(value);
  // From the back, so that indices of arrays still hold.
  for (const { path } of [...losses].reverse()) {
    const key = path.at(-1);
    const parent = path.slice(0, -1).reduce<JsonValue | undefined>(memberOf, copy);
    if (key === undefined || !isContainer(parent)) continue;
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete (parent as Record<string, JsonValue>)[key];
  }
  return copy;
}

function membersOf(value: object): (readonly [string | number, JsonValue])[] {
  return Array.isArray(value)
    ? value.map((member: JsonValue, index) => [index, member] as const)
    : Object.entries(value as Record<string, JsonValue>);
}

export function memberOf(
  value: JsonValue | undefined,
  key: string | number,
): JsonValue | undefined {
  if (!isContainer(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string | number, JsonValue>)[key] : undefined;
}

export function isContainer(value: JsonValue | undefined): value is Extract<JsonValue, object> {
  return typeof value === "object" && value !== null;
}

/** Absent and empty mean the same in ProtoJSON. */
function isNothing(value: JsonValue): boolean {
  return isContainer(value) ? Object.keys(value).length === 0 : value === "" || value === false;
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  if (isContainer(a) || isContainer(b)) return false;
  return Object.is(a, b) || (a === 0 && b === 0);
}
