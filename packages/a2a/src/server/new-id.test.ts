import { expect, test } from "vitest";
import { newId } from "./new-id.js";

const form = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test.each([0, 1, 0xffff_ffff, 0x1_0000_0000, Date.UTC(2026, 10, 15), 2 ** 48 - 1])(
  "an id made at %d is a UUID of version 7 that begins with that time",
  (now) => {
    const id = newId(now);
    expect(id).toMatch(form);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(now);
  },
);

test("ids made at different times sort by time, and no two made at one time are the same", () => {
  const ids = Array.from({ length: 1000 }, (_, index) => newId(1_700_000_000_000 + index));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 1000 }, () => newId(0))).size).toBe(1000);
});
