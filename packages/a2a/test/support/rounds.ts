import process from "node:process";

/** The share of its rounds that a test goes through at a desk. Continuous integration goes through all. */
const shareAtDesk = 0.2;

/** `PARLEY_TEST_ROUNDS`: `full`, or a share of it such as `0.5`. */
const share = parseShare(
  process.env["PARLEY_TEST_ROUNDS"] ?? (process.env["CI"] ? "full" : `${shareAtDesk}`),
);

/** How many rounds a test goes through, of the number that is a full run. */
export function rounds(full: number): number {
  return Math.max(1, Math.round(full * share));
}

/** Every item in a full run; otherwise a share of them, evenly spread, the first among them. */
export function someOf<T>(items: readonly T[]): readonly T[] {
  const step = items.length / rounds(items.length);
  return Array.from(
    { length: rounds(items.length) },
    (_, index) => items[Math.floor(index * step)] as T,
  );
}

function parseShare(text: string): number {
  const share = text === "full" ? 1 : Number(text);
  if (share > 0 && share <= 1) return share;
  throw new Error(`PARLEY_TEST_ROUNDS is ${text}: say "full", or a share between 0 and 1`);
}
