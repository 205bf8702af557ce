import { assert, assertEqual } from "../assert.js";
import { range } from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

export const secretCases: StoreStatements = {
  "a secret is what was proposed first, to every node": async ({ store, another }) => {
    assertEqual(await store.settleSecret("key", "first"), "first", "the first proposal");
    assertEqual(await store.settleSecret("key", "second"), "first", "a later one");
    const other = await another();
    assertEqual(await other.settleSecret("key", "third"), "first", "one of another node");
    assertEqual(await other.settleSecret("another key", "fourth"), "fourth", "another name");
  },

  "nodes that propose a secret at the same time agree on one": async ({ store, another }) => {
    const other = await another();
    const settled = await Promise.all(
      range(20).map((number) =>
        (number % 2 === 0 ? store : other).settleSecret("key", `proposal ${number}`),
      ),
    );
    assert(new Set(settled).size === 1, `there are several: ${[...new Set(settled)].join(", ")}`);
  },
};
