import { expect, it } from "vitest";
import { hashOf } from "./hash-of.js";

it.each([
  ["", "cbf29ce484222325"],
  ["a", "af63dc4c8601ec8c"],
  ["foobar", "85944171f73967e8"],
  ["chongo was here!\n", "46810940eff5f915"],
])("hashes %j as the authors of FNV-1a do", (text, digits) => {
  expect(hashOf(text)).toBe(digits);
});

it("tells tasks apart", () => {
  const ids = Array.from({ length: 50_000 }, (_, number) => `t-${number.toString(36)}`);
  expect(new Set(ids.map(hashOf)).size).toBe(ids.length);
});

it("makes 16 digits of any text", () => {
  for (const text of ["\u0000", "å", "任務", "😀".repeat(100)]) {
    expect(hashOf(text)).toMatch(/^[0-9a-f]{16}$/u);
  }
});
