import fc from "fast-check";
import { expect, test } from "vitest";
import { Roster } from "./roster.js";

test("whoever came and has not left is present, whatever the order of coming and leaving", () => {
  const steps = fc.array(fc.oneof(fc.constant("come" as const), fc.nat(20)), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (all) => {
      const roster = new Roster<number>();
      const present: { readonly place: number; readonly member: number }[] = [];
      for (const [member, step] of all.entries()) {
        if (step === "come") present.push({ place: roster.add(member), member });
        else {
          const [left] = present.splice(step % Math.max(1, present.length), 1);
          if (left !== undefined) roster.remove(left.place);
        }
        const expected = present.map((one) => one.member).toSorted((a, b) => a - b);
        expect(roster.members().toSorted((a, b) => a - b)).toEqual(expected);
      }
    }),
  );
});

test("a place that was left is given again, so that a roster grows only with those who are there at once", () => {
  const roster = new Roster<string>();
  for (let round = 0; round < 1000; round += 1) {
    expect(roster.add("a")).toBe(0);
    roster.remove(0);
  }
  expect(roster.members()).toEqual([]);
});
