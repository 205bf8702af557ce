import { expect, test } from "vitest";
import { PreparedNames } from "./prepared-names.js";

test("a statement gets a new name after 16, 128, 1,024 and 8,192 uses, and the former one is outdated once", () => {
  const names = new PreparedNames();
  const changes: unknown[] = [];
  for (let uses = 0; uses < 20_000; uses += 1) {
    const { name, outdated } = names.next("append");
    if (uses === 0 || outdated !== undefined) changes.push([uses, outdated, name]);
  }
  expect(changes).toEqual([
    [0, undefined, "append_0"],
    [16, "append_0", "append_1"],
    [128, "append_1", "append_2"],
    [1024, "append_2", "append_3"],
    [8192, "append_3", "append_4"],
  ]);
});

test("statements are counted apart", () => {
  const names = new PreparedNames();
  for (let uses = 0; uses < 16; uses += 1) names.next("append");
  expect(names.next("read").name).toBe("read_0");
  expect(names.next("append").name).toBe("append_1");
});
