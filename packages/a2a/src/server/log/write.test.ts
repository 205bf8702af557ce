import { expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import { isRefused } from "./write.js";

it.each([
  ["CONCURRENT_MODIFICATION", true],
  ["UNSUPPORTED_OPERATION", true],
  ["RESOURCE_EXHAUSTED", true],
  // The store may have carried out what it did not answer.
  ["UNAVAILABLE", false],
  ["INTERNAL", false],
] as const)("a write that failed with %s is certainly not in the log: %s", (code, isCertain) => {
  expect(isRefused(new A2AError(code, "…"))).toBe(isCertain);
});

it("a write that failed with another error may be in the log", () => {
  expect(isRefused(new Error("the connection was lost"))).toBe(false);
});
