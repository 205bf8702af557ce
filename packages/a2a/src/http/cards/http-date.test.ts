import { expect, test } from "vitest";
import { formatHttpDate, parseHttpDate } from "./http-date.js";

const time = Date.UTC(1994, 10, 6, 8, 49, 37);

test.each([
  "Sun, 06 Nov 1994 08:49:37 GMT",
  "Sunday, 06-Nov-94 08:49:37 GMT",
  "Sun Nov  6 08:49:37 1994",
])("%j is a date of HTTP", (text) => {
  expect(parseHttpDate(text)).toBe(time);
});

test.each([
  "",
  "0",
  "1994",
  "1994-11-06T08:49:37Z",
  "Sun, 06 Nov 1994 08:49:37 CET",
  "Xxx, 99 Yyy 1994 99:99:99 GMT",
])("%j is none", (text) => {
  expect(parseHttpDate(text)).toBeUndefined();
});

test("a time is written in whole seconds", () => {
  expect(formatHttpDate(time + 999)).toBe("Sun, 06 Nov 1994 08:49:37 GMT");
});
