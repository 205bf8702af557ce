import { expect, test } from "vitest";
import { createAccepts, mediaTypeOf } from "./media-types.js";

test.each<[string, readonly string[], boolean]>([
  ["text/html", [], true],
  ["text/html", ["text/html"], true],
  ["text/html", ["TEXT/Html; charset=utf-8"], true],
  ["Text/HTML;level=1", [" text/html "], true],
  ["text/html", ["text"], true],
  ["text/html", ["text/*"], true],
  ["text/html", ["*/*"], true],
  ["text/html", ["*"], true],
  ["text/html", ["image/png", "text/html"], true],
  ["text/html", ["text/plain"], false],
  ["text/html", ["image/*"], false],
  ["text/html", ["application/json", "image"], false],
  ["text", ["text/plain"], true],
  ["text", ["text/html"], false],
  ["text/*", ["text/html"], true],
  ["image/*", ["text/*"], false],
  ["application/json", ["json"], true],
  ["application/json", ["data"], true],
  ["json", ["application/json"], true],
  ["text/csv", ["file"], true],
  ["image/png", ["image"], true],
  ["text/html", [""], false],
])("%s where callers accept %j: %j", (asked, modes, expected) => {
  expect(createAccepts(modes)(asked)).toBe(expected);
});

test("a type is what it is in lower case, without parameters", () => {
  expect(["Text/Plain; charset=utf-8", "text", "data", "json"].map(mediaTypeOf)).toEqual([
    "text/plain",
    "text/plain",
    "application/json",
    "application/json",
  ]);
});
