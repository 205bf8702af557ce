import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TokenBuckets } from "./token-buckets.js";

function openBuckets(rate: { perSecond: number; burst: number }, maxKeys = 100) {
  let time = 0;
  const buckets = new TokenBuckets(rate, { maxKeys, now: () => time });
  return { buckets, pass: (ms: number) => (time += ms) };
}

describe("buckets of tokens", () => {
  it("give so many at once, and from then on one at a time", () => {
    const { buckets, pass } = openBuckets({ perSecond: 2, burst: 3 });
    expect([1, 2, 3, 4].map(() => buckets.take("ann"))).toEqual([0, 0, 0, 500]);
    pass(400);
    expect(buckets.take("ann")).toBeCloseTo(100);
    pass(100);
    expect(buckets.take("ann")).toBe(0);
    expect(buckets.take("ann")).toBe(500);
  });

  it("count each key by itself", () => {
    const { buckets } = openBuckets({ perSecond: 1, burst: 1 });
    expect([buckets.take("ann"), buckets.take("bob")]).toEqual([0, 0]);
    expect(buckets.take("ann")).toBeGreaterThan(0);
  });

  it("never hold more keys than they may, and forget only who lost nothing by it", () => {
    const { buckets, pass } = openBuckets({ perSecond: 1, burst: 2 }, 3);
    for (const key of ["a", "b", "c"]) buckets.take(key);
    pass(500);
    // Nobody is full again, so newcomers share.
    expect([buckets.take("d"), buckets.take("e"), buckets.take("f")]).toEqual([0, 0, 1000]);
    expect(buckets.size).toBe(3);
    buckets.take("a");
    pass(600);
    // b is full again and makes room; a, which was used since, stays.
    expect(buckets.take("g")).toBe(0);
    expect(buckets.size).toBe(3);
    expect(buckets.take("a")).toBe(0);
    expect(buckets.take("a")).toBeGreaterThan(0);
  });

  it("give out no more than the rate allows, whatever keys come in whatever order", () => {
    const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), after: fc.nat(300) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const rate = { perSecond: 5, burst: 4 };
        const { buckets, pass } = openBuckets(rate, 2);
        const given = new Map<string, number>();
        let elapsed = 0;
        for (const { key, after } of steps) {
          pass(after);
          elapsed += after;
          if (buckets.take(key) === 0) given.set(key, (given.get(key) ?? 0) + 1);
        }
        const most = rate.burst + (elapsed * rate.perSecond) / 1000;
        // A key may have had a bucket of its own and the shared one.
        for (const count of given.values()) expect(count).toBeLessThanOrEqual(2 * most);
        expect(buckets.size).toBeLessThanOrEqual(2);
      }),
    );
  });

  it.each([
    { perSecond: 0, burst: 1 },
    { perSecond: 1, burst: 0 },
    { perSecond: NaN, burst: 1 },
  ])("are refused a rate that lets nobody through: %j", (rate) => {
    expect(() => openBuckets(rate)).toThrow("a rate needs");
  });
});
