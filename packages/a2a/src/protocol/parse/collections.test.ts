import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { defaultLimits } from "../limits.js";
import { array, map, parts } from "./collections.js";
import { Cursor } from "./cursor.js";
import { base64, string } from "./primitives.js";

const cursor = (): Cursor => new Cursor();

describe("an array", () => {
  it.each([[[]], [["a"]], [["a", "b", ""]]])(
    "of clean elements is returned itself: %j",
    (value) => {
      expect(array(string)(value, cursor())).toBe(value);
    },
  );

  it("is copied when an element changes, and the given one is left alone", () => {
    const value = ["aGk=", "aGk", "YQ=="];
    expect(array(base64)(value, cursor())).toEqual(["aGk=", "aGk=", "YQ=="]);
    expect(value[1]).toBe("aGk");
  });

  it("names the element that is wrong", () => {
    const read = () => array(array(string))([["a"], ["b", 1]], cursor());
    expect(violation(read)).toMatchObject({ field: "[1][1]" });
  });

  it.each<[unknown]>([[null], [{}], ["x"], [1], [{ length: 0 }]])("is not %j", (value) => {
    expect(violation(() => array(string)(value, cursor())).description).toMatch(
      /^expected an array, got /,
    );
  });
});

describe("parts", () => {
  const read = (value: unknown, maxParts = 2): readonly string[] =>
    parts(string)(value, new Cursor({ at: ["parts"], limits: { ...defaultLimits, maxParts } }));

  it("are at least one and at most the configured number", () => {
    verifies("security:size-limits");
    expect(read(["a"])).toEqual(["a"]);
    expect(read(["a", "b"])).toEqual(["a", "b"]);
    expect(violation(() => read([]))).toEqual({
      code: "INVALID_PARAMS",
      field: "parts",
      description: "expected at least one part, got none",
    });
    expect(violation(() => read(["a", "b", "c"])).description).toBe(
      "expected at most 2 parts, got 3",
    );
  });

  it("are counted before they are read", () => {
    expect(violation(() => read([1, 2, 3])).field).toBe("parts");
  });

  it("are an array", () => {
    expect(violation(() => read({})).description).toBe("expected an array, got an object");
  });
});

describe("a map", () => {
  const headers = map(string);

  it.each<[object]>([[{}], [{ a: "1", b: "" }], [{ constructor: "x" }]])(
    "of clean values is returned itself: %j",
    (value) => {
      expect(headers(value, cursor())).toBe(value);
    },
  );

  it("is copied when a value changes", () => {
    const value = { a: "aGk", b: "YQ==" };
    expect(map(base64)(value, cursor())).toStrictEqual({ a: "aGk=", b: "YQ==" });
    expect(value.a).toBe("aGk");
  });

  it.each<[string, string, string]>([
    ['{"__proto__":"x"}', "__proto__", "this member name is not allowed"],
    ['{"a":"x","\\udc00":"y"}', "", "expected member names in well-formed Unicode"],
    ['{"a":1}', "a", "expected a string, got a number"],
    ['{"a":null}', "a", "expected a string, got null"],
    ["[]", "", "expected an object, got an array"],
    ['"x"', "", "expected an object, got a string"],
  ])("is not %s", (json, field, description) => {
    expect(violation(() => headers(JSON.parse(json), cursor()))).toEqual({
      code: "INVALID_PARAMS",
      field,
      description,
    });
  });
});
