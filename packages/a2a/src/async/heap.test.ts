import fc from "fast-check";
import { expect, test } from "vitest";
import { Heap } from "./heap.js";

test("values come out in order, however pushes and pops are mixed", () => {
  const steps = fc.array(fc.option(fc.nat(50)), { maxLength: 300 });
  fc.assert(
    fc.property(steps, (all) => {
      const heap = new Heap<number>((one, other) => one < other);
      const sorted: number[] = [];
      for (const step of all) {
        if (step === null) expect(heap.pop()).toBe(sorted.shift());
        else {
          heap.push(step);
          sorted.push(step);
          sorted.sort((one, other) => one - other);
        }
        expect(heap.peek()).toBe(sorted[0]);
        expect(heap.size).toBe(sorted.length);
      }
    }),
  );
});
