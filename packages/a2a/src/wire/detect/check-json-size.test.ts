import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkJsonSize } from "./check-json-size.js";
import { parseJson } from "./parse-json.js";

const encoder = new TextEncoder();

/** Makes a text long enough to be looked at, without an element more. */
function check(json: string, limits: Parameters<typeof checkJsonSize>[1] = {}): void {
  checkJsonSize(encoder.encode(json + " ".repeat(5000)), limits);
}

const tooMany = expect.objectContaining({ code: "REQUEST_TOO_LARGE" });
const tooDeep = expect.objectContaining({ code: "INVALID_REQUEST" });

/** Objects, arrays, members and elements. An empty array is counted like one with an element. */
function countElements(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inside: readonly unknown[] = Object.values(value);
  return inside.reduce<number>((sum, one) => sum + countElements(one), Math.max(1, inside.length));
}

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the size of a JSON text", () => {
  it("is counted as it will be parsed, whatever is in its strings", () => {
    const text = fc.string({
      unit: fc.constantFrom('"', "\\", "[", "{", ",", "]", "}", "é", "x", "\n", "\u2028"),
      maxLength: 200,
    });
    const json = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, text, fc.integer(), tie("list"), tie("map")),
      list: fc.array(tie("value"), { maxLength: 6 }),
      map: fc.dictionary(text, tie("value"), { maxKeys: 6 }),
    })).value;
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (value, space) => {
        const written = JSON.stringify(value, undefined, space);
        const elements = 1 + countElements(value);
        expect(() => check(written, { maxElements: elements })).not.toThrow();
        if (elements > 1) {
          expect(() => check(written, { maxElements: elements - 1 })).toThrow(tooMany);
        }
        const depth = depthOf(value);
        // The limit leaves a level for an envelope.
        expect(() => check(written, { maxJsonDepth: depth })).not.toThrow();
        if (depth > 1) expect(() => check(written, { maxJsonDepth: depth - 2 })).toThrow(tooDeep);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["a string without an end", `["${"x".repeat(6000)}`],
    ["an escape at the end", `["${"\\".repeat(6001)}`],
    ["brackets that were never opened", "]".repeat(6000)],
    ["nothing but quotation marks", '"'.repeat(6001)],
  ])("of what is no JSON is counted, too: %s", (_, text) => {
    expect(() => check(text)).not.toThrow();
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ code: "PARSE_ERROR" }));
  });

  it("says what is too much, and what to do", () => {
    expect(() => check(`[${"0,".repeat(60_000)}0]`)).toThrowError(
      "the body has more than 50000 members and elements; send less at once, or large data as a file",
    );
    expect(() => check("[".repeat(102))).toThrowError(
      "the body has more than 100 levels of nesting; send flatter data",
    );
  });

  it("does not matter below four kilobytes", () => {
    expect(() => checkJsonSize(encoder.encode("[".repeat(4096)), { maxElements: 1 })).not.toThrow();
  });
});
