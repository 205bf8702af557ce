import { assert, assertEqual, countOutcomes } from "../assert.js";
import { creation, range } from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

export const closingCases: StoreStatements = {
  "a store says what it is": async ({ store }) => {
    assert(store.description.trim() !== "", "the description is blank");
    assertEqual(typeof store.isShared, "boolean", "the type of isShared");
  },

  "a store that is open answers when it is checked, and one that is closed does not": async ({
    store,
  }) => {
    await store.check();
    await store.close();
    assertEqual(await countOutcomes([store.check()]), { UNAVAILABLE: 1 }, "the closed store");
  },

  "closing finishes what is under way": async ({ store }) => {
    const appends = range(50).map((number) => store.append(creation(`t${number}`)));
    const [counts] = await Promise.all([countOutcomes(appends), store.close()]);
    assertEqual(counts, { ok: 50 }, "the outcomes of what was under way");
  },

  "closing again does nothing": async ({ store }) => {
    await Promise.all([store.close(), store.close()]);
    await store.close();
    await store[Symbol.asyncDispose]();
  },
};
