import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonValue } from "../../protocol/internal.js";
import { canonicalJson } from "./canonical-json.js";

/** Any JSON, with names and texts from everywhere in Unicode, and every number that JSON has. */
const json = fc.jsonValue({ stringUnit: "binary" }) as fc.Arbitrary<JsonValue>;

it("is what the reference implementation writes, for any JSON", () => {
  const check = (value: JsonValue): void => {
    expect(canonicalJson(value)).toBe(canonicalize(value));
  };
  fc.assert(fc.property(json, check), { numRuns: 1000 });
});

it("is that of the example in RFC 8785", () => {
  const example = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(JSON.parse(example) as JsonValue)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

it.each([
  ["a text", ["\ud800"]],
  ["a name", { "\udfff": 1 }],
])("does not exist for half of a surrogate pair in %s", (_, value: JsonValue) => {
  expect(() => canonicalJson(value)).toThrowError(/half of a surrogate pair/);
});
