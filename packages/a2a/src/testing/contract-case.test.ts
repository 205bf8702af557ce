import { expect, test } from "vitest";
import { A2AError } from "../protocol/internal.js";
import { assertEqual, assertRefused } from "./assert.js";
import { toCases } from "./contract-case.js";

const statements = {
  "one holds": async () => {},
  "two hold": async (bench: string) => assertEqual(bench, "another bench", "the bench"),
};

test("a case runs its statement with what it needs", async () => {
  const cases = toCases(statements, (statement) => statement("a bench"));
  expect(cases.map(({ name }) => name)).toEqual(["one holds", "two hold"]);
  await cases[0]?.run();
  await expect(cases[1]?.run()).rejects.toThrow(
    'the bench: expected "another bench", got "a bench"',
  );
});

test("a skipped case says why", () => {
  const skips = [{ reason: "it has no second", cases: ["two hold"] }];
  const cases = toCases(statements, async () => {}, skips);
  expect(cases.map(({ skipped }) => skipped)).toEqual([undefined, "it has no second"]);
});

test("a skip without a reason, or of a case that does not exist, is refused", () => {
  const skip = (reason: string, name: string) =>
    toCases(statements, async () => {}, [{ reason, cases: [name] }]);
  expect(() => skip(" ", "one holds")).toThrow("skipping needs a reason: one holds");
  expect(() => skip("because", "three hold")).toThrow('there is no case "three hold" to skip');
});

test.each([
  [{ a: 1 }, { a: 1, b: undefined }],
  [
    [1, { a: [null] }],
    [1, { a: [null] }],
  ],
])("%j equals %j", (left, right) => {
  assertEqual(left, right, "the value");
});

test.each([
  [{ a: 1 }, { a: 2 }],
  [{ a: null }, {}],
  [[1], [1, undefined]],
  [[], {}],
  [{ a: { b: 1 } }, { a: { b: 1, c: 1 } }],
])("%j does not equal %j", (left, right) => {
  expect(() => assertEqual(left, right, "the value")).toThrow("the value: expected");
});

test("a refusal is one with the code that was asked for", async () => {
  const refused = Promise.reject(new A2AError("INTERNAL", "no"));
  await assertRefused(refused, "INTERNAL", "it");
  await expect(assertRefused(refused, "UNAVAILABLE", "it")).rejects.toThrow("UNAVAILABLE");
  await expect(assertRefused(Promise.resolve(), "INTERNAL", "it")).rejects.toThrow("accepted");
});
