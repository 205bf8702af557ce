import { expect, it } from "vitest";
import { cookieOf } from "./credentials.js";
import { requestIdOf } from "./request-id.js";

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

it("a request has the id that it came with, if it is one, or else one of its own", () => {
  expect(requestIdOf("abc-123.4:5")).toBe("abc-123.4:5");
  for (const given of [undefined, "", "a b", "x".repeat(129), 'a"b', "a\nb"]) {
    expect(requestIdOf(given)).toMatch(/^[\da-f-]{36}$/);
  }
});
