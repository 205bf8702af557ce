import { expect, it } from "vitest";
import { requestIdOf, usableRequestId } from "./request-id.js";

it("takes the id of a caller that is short and plain, and no other", () => {
  for (const given of ["a", "req-1.2:3/4+5=", "x".repeat(128)]) {
    expect(usableRequestId(given)).toBe(given);
    expect(requestIdOf(given)).toBe(given);
  }
  for (const given of [undefined, "", "x".repeat(129), "a b", "a\nb", "ä"]) {
    expect(usableRequestId(given)).toBeUndefined();
    expect(requestIdOf(given)).toMatch(/^[\da-f-]{36}$/);
  }
});
