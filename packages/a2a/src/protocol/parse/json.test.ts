import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { defaultLimits } from "../limits.js";
import { Cursor } from "./cursor.js";
import { jsonObject, jsonValue } from "./json.js";
import { isJsonObject } from "./object.js";

const limits = { ...defaultLimits, maxJsonDepth: 3 };

/** `depth` arrays or objects, one inside the other. */
function nested(depth: number, open: string, close: string): unknown {
  return JSON.parse(`${open.repeat(depth)}0${close.repeat(depth)}`) as unknown;
}

describe("free-form JSON", () => {
  it.each<[unknown]>([
    [null],
    [true],
    [""],
    ["x"],
    [0],
    [-1.5],
    [1e308],
    [[]],
    [{}],
    [[[], {}]],
    [{ a: { b: [null] } }],
  ])("is taken as it is, the very same value: %j", (value) => {
    verifies("json:metadata-values");
    expect(jsonValue(value, new Cursor())).toBe(value);
  });

  it.each<[string, string, string]>([
    ["1e400", "", "expected a number within the range of a double"],
    ['{"a":[0,1e400]}', "a[1]", "expected a number within the range of a double"],
    ['"\\ud800"', "", "expected well-formed Unicode, got a lone surrogate"],
    ['{"a":"\\ud800"}', "a", "expected well-formed Unicode, got a lone surrogate"],
    ['{"a":{"\\ud800":1}}', "a", "expected member names in well-formed Unicode"],
    ['{"__proto__":{}}', "__proto__", "this member name is not allowed"],
    ['[{"a":{"__proto__":1}}]', "[0].a.__proto__", "this member name is not allowed"],
  ])("is refused where it could not be written back or would do harm: %s", (json, field, why) => {
    const refused = violation(() => jsonValue(JSON.parse(json), new Cursor()));
    expect(refused).toEqual({ code: "INVALID_PARAMS", field, description: why });
  });

  it("has members called constructor and prototype like any other", () => {
    const value = { constructor: { prototype: 1 }, toString: 2, hasOwnProperty: 3 };
    expect(jsonValue(value, new Cursor())).toBe(value);
  });

  it.each([undefined, () => 1, Symbol("x"), 1n])("is no value outside JSON", (value) => {
    expect(violation(() => jsonValue(value, new Cursor())).description).toMatch(
      /^expected a JSON value, got /,
    );
  });

  it.each([
    ["[", "]"],
    ['{"a":', "}"],
  ])("has at most the configured levels, counted from the root: %s", (open, close) => {
    verifies("security:size-limits");
    const read = (depth: number, at: string[]) => () =>
      jsonValue(nested(depth, open, close), new Cursor({ limits, at }));
    expect(read(3, [])).not.toThrow();
    expect(violation(read(4, [])).description).toBe("expected at most 3 levels of nesting");
    expect(read(1, ["a", "b"])).not.toThrow();
    expect(violation(read(2, ["a", "b"])).description).toBe("expected at most 3 levels of nesting");
  });

  it.each([
    ["[", "]"],
    ['{"a":', "}"],
  ])("of a hundred thousand levels is refused and does no harm: %s", (open, close) => {
    const deep = nested(100_000, open, close);
    expect(violation(() => jsonValue(deep, new Cursor())).description).toBe(
      "expected at most 100 levels of nesting",
    );
  });
});

describe("a free-form object", () => {
  it("is taken as it is", () => {
    const value = { a: 1 };
    expect(jsonObject(value, new Cursor())).toBe(value);
  });

  it.each<[unknown]>([[null], [[]], ["x"], [1], [true]])("is not %j", (value) => {
    expect(violation(() => jsonObject(value, new Cursor())).description).toMatch(
      /^expected an object, got /,
    );
  });

  it("is told apart from lists and null", () => {
    expect([{}, [], null, "x", undefined].map((value) => isJsonObject(value))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
