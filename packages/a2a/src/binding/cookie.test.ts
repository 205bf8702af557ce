import { expect, it } from "vitest";
import { cookieOf } from "./cookie.js";

it.each([
  ["key=a", "a"],
  ["other=x; key=a; key=b", "a"],
  ["other=x;key=a", "a"],
  ["key=a=b=", "a=b="],
  ['key="a b"', "a b"],
  ["key=a%3Bb", "a;b"],
  ["key=100%", "100%"],
  ["key=", ""],
  ["xkey=a; keyx=b; Key=c; key", undefined],
  ["", undefined],
  [undefined, undefined],
])("the cookie key in %j is %j", (header, value) => {
  expect(cookieOf(header, "key")).toBe(value);
});
