import { describe, expect, it } from "vitest";
import { checkOptions } from "./check-options.js";
import { describeValue, kindOf } from "./describe-value.js";
import { nearestTo } from "./nearest.js";
import { pick, withDefaults } from "./pick.js";
import { both, either, fields, listOf, recordOf, rule } from "./rule.js";
import { baseUrl, count, port, text, timerMs } from "./rules.js";

interface Options {
  readonly name: string;
  readonly port?: number;
  readonly tags?: readonly string[];
  readonly limits?: { readonly maxRuns?: number };
}

const options = fields<Options>(
  {
    name: text(),
    port,
    tags: listOf(text("a tag"), "a list of tags"),
    limits: fields<NonNullable<Options["limits"]>>({ maxRuns: count(1) }),
  },
  ["name"],
  "an object",
  ["colour"],
);

describe("options", () => {
  it.each([
    { name: "a" },
    { name: "a", port: undefined, tags: [] },
    { name: "a", port: 0, tags: ["b"], limits: { maxRuns: Infinity } },
    Object.assign(Object.create({ inherited: true }) as object, { name: "a" }),
  ])("pass that keep their rules: %j", (value) => {
    expect(() => checkOptions("f()", value, options)).not.toThrow();
  });

  it.each<[unknown, string]>([
    [undefined, "options is missing; expected an object"],
    [[], "options is an empty list; expected an object"],
    [{}, "name is missing; expected a string"],
    [{ name: "a", prot: 1 }, "prot is unknown; did you mean port?"],
    [{ name: "a", maxRuns: 1 }, "maxRuns is unknown; did you mean limits.maxRuns?"],
    [{ name: "a", color: 1 }, "color is unknown; did you mean colour?"],
    [{ name: "a", weather: 1 }, "weather is unknown; expected one of name, port, tags, limits"],
    [
      { name: "a", __proto__: null, constructor: 1 },
      "constructor is unknown; expected one of name, port, tags, limits",
    ],
    [{ name: "a", tags: ["b", ""] }, 'tags[1] is ""; expected a tag'],
    [{ name: "a", limits: { maxRuns: 0 } }, "limits.maxRuns is 0; expected a whole number from 1"],
    [{ name: "a", limits: 3 }, "limits is 3; expected an object"],
  ])("are refused that do not: %j", (value, problem) => {
    expect(() => checkOptions("f()", value, options)).toThrow(new Error(`f(): ${problem}`));
  });
});

it("rules can be combined", () => {
  const even = rule((value) => (Number(value) % 2 === 0 ? undefined : "an even number"));
  const evenPort = both(port, even);
  expect(evenPort.problem(-1, "p")).toBe("p is -1; expected a whole number from 0 to 65535");
  expect(evenPort.problem(3, "p")).toBe("p is 3; expected an even number");
  expect(either((value) => value === false, evenPort).problem(false, "p")).toBeUndefined();
  expect(recordOf(even, "an object").problem({ a: 2, b: 3 }, "p")).toBe(
    'p["b"] is 3; expected an even number',
  );
});

it.each([2 ** 31, Infinity, 0.1, NaN, "1", null])("no timer waits for %s", (value) => {
  expect(timerMs(0).problem(value, "t")).toMatch(/^t is .*; expected a whole number of milli/);
});

it.each([
  "https://example.com",
  "http://localhost:4100/",
  "https://example.com/a/b",
  "https://bücher.example",
])("%s is a URL to which paths can be appended", (url) => {
  expect(baseUrl.problem(url, "url")).toBeUndefined();
});

describe("a misspelt name", () => {
  const names = ["description", "name", "run", "publicUrl", "securitySchemes"];
  it.each([
    ["desciption", "description"],
    ["descripton", "description"],
    ["DESCRIPTION", "description"],
    ["publicURL", "publicUrl"],
    ["nmae", "name"],
    ["rum", "run"],
    ["securitySchema", "securitySchemes"],
    ["colour", undefined],
    ["x", undefined],
    ["", undefined],
    ["d".repeat(10_000), undefined],
  ])("%.20s stands for %s", (name, meant) => {
    expect(nearestTo(name, names)).toBe(meant);
  });
});

describe("a value", () => {
  class Point {}
  it.each<[unknown, string]>([
    ["a", '"a"'],
    ["a".repeat(100), `"${"a".repeat(60)}…"`],
    ["two\nlines", '"two\\nlines"'],
    [NaN, "NaN"],
    [10n, "10"],
    [Symbol("s"), "Symbol(s)"],
    [null, "null"],
    [undefined, "undefined"],
    [[1], "a list"],
    [{}, "an empty object"],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5 }, "an object with a, b, c, d, …"],
    [Object.create(null), "an empty object"],
    [new Point(), "a Point"],
    [new Error("x"), "an Error"],
    [Promise.resolve(), "a promise that was not awaited"],
    [function handler() {}, "the function handler"],
  ])("is shown as it is: %s", (value, shown) => {
    expect(describeValue(value)).toBe(shown);
  });

  it("that may be a secret is not shown", () => {
    expect([kindOf("secret"), kindOf(""), kindOf({ key: "secret" })]).toEqual([
      "a string",
      "an empty string",
      "an object with key",
    ]);
  });
});

it("members that are undefined count as absent", () => {
  expect(pick({ a: 1, b: undefined, c: 3 }, ["a", "b"])).toEqual({ a: 1 });
  expect(withDefaults({ a: 1, b: 2 }, { a: undefined, b: 3 })).toEqual({ a: 1, b: 3 });
  expect(withDefaults({ a: 1 }, undefined)).toEqual({ a: 1 });
});
