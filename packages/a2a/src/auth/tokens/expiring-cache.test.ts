import { expect, it } from "vitest";
import { ExpiringCache } from "./expiring-cache.js";

it("keeps each value for its time, and never more than it may", () => {
  let now = 0;
  const cache = new ExpiringCache<number>(2, () => now);
  cache.set("a", 1, 10);
  cache.set("b", 2, 20);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, 2, undefined]);
  cache.set("a", 3, 30);
  cache.set("c", 4, 30);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([3, undefined, 4]);
  now = 30;
  expect([cache.get("a"), cache.get("c")]).toEqual([undefined, undefined]);
});
