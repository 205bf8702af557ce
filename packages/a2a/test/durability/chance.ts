import process from "node:process";
import { onTestFailed } from "vitest";

/** Numbers from a seed, which is printed when the test fails; `SEED` repeats them. */
export function openChance(): { below(limit: number): number } {
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 32));
  onTestFailed(() => console.error(`repeat with SEED=${seed}`));
  let state = seed;
  return {
    below(limit) {
      // mulberry32
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
    },
  };
}
