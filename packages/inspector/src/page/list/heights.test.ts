import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Heights } from "./heights.js";

const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("push" as const), height: fc.integer({ min: 1, max: 90 }) }),
    fc.record({
      kind: fc.constant("set" as const),
      row: fc.nat(200),
      height: fc.integer({ min: 1, max: 90 }),
    }),
    fc.record({ kind: fc.constant("truncate" as const), length: fc.nat(200) }),
  ),
  { maxLength: 300 },
);

describe("the heights of rows", () => {
  it("say where every row begins and which row is at every place, whatever was added, corrected or taken away", () => {
    fc.assert(
      fc.property(changes, (list) => {
        const heights = new Heights();
        let plain: number[] = [];
        for (const change of list) {
          if (change.kind === "push") {
            heights.push(change.height);
            plain.push(change.height);
          } else if (change.kind === "truncate") {
            heights.truncate(change.length);
            plain = plain.slice(0, change.length);
          } else if (change.row < plain.length) {
            heights.set(change.row, change.height);
            plain[change.row] = change.height;
          }
        }
        let offset = 0;
        plain.forEach((height, row) => {
          expect(heights.offset(row)).toBe(offset);
          expect(heights.rowAt(offset)).toBe(row);
          expect(heights.rowAt(offset + height - 0.5)).toBe(row);
          offset += height;
        });
        expect(heights.total).toBe(offset);
        expect(heights.rowAt(offset + 1000)).toBe(Math.max(0, plain.length - 1));
      }),
    );
  });

  it("take a few steps for a place, a correction and a new row among 100,000", () => {
    const heights = new Heights(100_000, () => 32);
    const cost = (work: () => void): number => {
      const before = heights.steps;
      work();
      return heights.steps - before;
    };
    expect(cost(() => heights.rowAt(1_600_016))).toBeLessThan(20);
    expect(cost(() => heights.offset(77_777))).toBeLessThan(20);
    expect(cost(() => heights.set(5, 64))).toBeLessThan(20);
    expect(cost(() => heights.push(32))).toBeLessThan(20);
  });
});
