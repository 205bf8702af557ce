import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "@parley/a2a";
import { jsonLines } from "./json-lines.js";

describe("the lines of a JSON value", () => {
  it("are the JSON again, put together", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { lines, hasMore } = jsonLines(value as JsonValue);
        const text = lines
          .map(
            ({ key, text: shown, hasComma }) =>
              `${key === undefined ? "" : `${JSON.stringify(key)}:`}${shown}${hasComma ? "," : ""}`,
          )
          .join("\n");
        expect(hasMore).toBe(false);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("are laid out of ten thousand levels, a page at a time", () => {
    const deep = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`) as JsonValue;
    expect(jsonLines(deep).lines).toHaveLength(19_999);
    const { lines, hasMore } = jsonLines(deep, { limit: 100 });
    expect([lines.length, hasMore]).toEqual([100, true]);
  });

  it("have pointers, and fold", () => {
    const { lines } = jsonLines(
      { "a/b": [1, { c: 2 }] },
      { isFolded: (pointer) => pointer === "/a~1b/1" },
    );
    expect(lines.map(({ pointer, kind }) => [pointer, kind])).toEqual([
      ["", "open"],
      ["/a~1b", "open"],
      ["/a~1b/0", "value"],
      ["/a~1b/1", "folded"],
      ["/a~1b", "close"],
      ["", "close"],
    ]);
  });
});
