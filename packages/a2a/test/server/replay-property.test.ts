import process from "node:process";
import fc from "fast-check";
import { test } from "vitest";
import { plan, play } from "./replay/play.js";
import { rounds } from "../support/rounds.js";

/** `PARLEY_REPLAY_CASES=100000` goes through that many cases; `SEED`, which a failure prints, repeats them. */
const cases = Number(process.env["PARLEY_REPLAY_CASES"] ?? rounds(3000));
const seed = process.env["SEED"];

test(
  `handlers end as their last version would, told once and answered, in ${cases} cases of crashes, evictions, takeovers and edits`,
  { timeout: 300_000 + cases * 50 },
  async () => {
    await fc.assert(fc.asyncProperty(plan, play), {
      numRuns: cases,
      ...(seed !== undefined && { seed: Number(seed) }),
      // A case takes milliseconds: one that hangs has failed.
      timeout: 10_000,
    });
  },
);
