/** Something that two values differ in. */
export interface Difference {
  /** Where: `status.state`, `artifacts[0].name`. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed" | "grown";
  readonly before?: string;
  readonly after?: string;
}

interface Pair {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Ends a comparison of hostile values; what a person reads is far below it. */
const differenceLimit = 500;
const textLimit = 20_000;

/**
 * What two JSON values differ in, in the order of their members. It walks in a loop, and stops after so many differences
 * and at a fixed depth, where it compares text.
 */
export function diffJson(before: unknown, after: unknown, root: string = ""): Difference[] {
  const found: Difference[] = [];
  const pending: Pair[] = [{ path: root, before, after }];
  while (pending.length > 0 && found.length < differenceLimit) {
    const pair = pending.pop() as Pair;
    const inside = membersOf(pair);
    if (inside !== undefined) pending.push(...inside.reverse());
    else if (!isSame(pair.before, pair.after)) found.push(differenceOf(pair));
  }
  return found;
}

const depthLimit = 40;

function membersOf({ path, before, after }: Pair): Pair[] | undefined {
  if (!isObject(before) || !isObject(after)) return undefined;
  if (Array.isArray(before) !== Array.isArray(after)) return undefined;
  if (depthOf(path) > depthLimit) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length: Math.min(length, differenceLimit * 4) }, (_, index) => ({
      path: `${path}[${index}]`,
      before: before[index] as unknown,
      after: after[index] as unknown,
    }));
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(names, (name) => ({
    path: memberPath(path, name),
    before: before[name],
    after: after[name],
  }));
}

function memberPath(path: string, name: string): string {
  if (!/^[\w$]+$/u.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

function depthOf(path: string): number {
  return path.split(/[.[]/u).length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isSame(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true;
  return isObject(before) && isObject(after) && textOfValue(before) === textOfValue(after);
}

function differenceOf({ path, before, after }: Pair): Difference {
  if (before === undefined) return { path, kind: "added", after: textOfValue(after) };
  if (after === undefined) return { path, kind: "removed", before: textOfValue(before) };
  return { path, kind: "changed", before: textOfValue(before), after: textOfValue(after) };
}

/** A value as text: strings as they are, others as JSON; cut where it is very long. */
export function textOfValue(value: unknown): string {
  let text: string;
  try {
    text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  } catch {
    text = "(nested too deeply to show)";
  }
  return text.length > textLimit ? `${text.slice(0, textLimit)}…` : text;
}
