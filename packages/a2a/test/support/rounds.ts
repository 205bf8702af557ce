import process from "node:process";

/** How much of their rounds tests go through at a desk; continuous integration goes through all. */
const shareAtDesk = 0.2;

/** `PARLEY_TEST_ROUNDS`: `full`, or a share of it such as `0.5`. */
const share = parseShare(
  process.env["PARLEY_TEST_ROUNDS"] ?? (process.env["CI"] ? "full" : `${shareAtDesk}`),
);

/** How often a test with chance in it is to be repeated, of the times that it is in full. */
export function rounds(full: number): number {
  return Math.max(1, Math.round(full * share));
}

/** Takes every item in full, or evenly spread ones, the first among them. */
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
