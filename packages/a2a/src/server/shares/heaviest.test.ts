import fc from "fast-check";
import { expect, it } from "vitest";
import { Heaviest } from "./heaviest.js";

it("finds somebody of whose amount nobody has the double, whoever gains and loses", () => {
  const step = fc.record({ who: fc.nat(5), amount: fc.nat(1000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const heaviest = new Heaviest<number>();
      const amounts = new Map<number, number>();
      for (const { who, amount } of steps) {
        heaviest.move(who, amounts.get(who) ?? 0, amount);
        amounts.set(who, amount);
      }
      const most = Math.max(0, ...amounts.values());
      const found = [...heaviest];
      if (most > 0) expect(2 * (amounts.get(found[0] ?? -1) ?? 0)).toBeGreaterThan(most);
      const those = [...amounts].filter(([, amount]) => amount > 0).map(([who]) => who);
      expect(new Set(found)).toEqual(new Set(those));
      expect(found).toHaveLength(those.length);
    }),
  );
});

it("finds the first among those who have about as much", () => {
  const heaviest = new Heaviest<string>();
  for (const name of ["ann", "bob", "eve"]) heaviest.move(name, 0, 1);
  expect([...heaviest]).toEqual(["ann", "bob", "eve"]);
  heaviest.move("eve", 1, 2);
  expect([...heaviest]).toEqual(["eve", "ann", "bob"]);
});
