import { expect, test } from "vitest";
import { parseDuration } from "./parse-duration.js";

test.each([
  ["7d", 604_800_000],
  ["12h", 43_200_000],
  ["30m", 1_800_000],
  ["45s", 45_000],
  ["1.5h", 5_400_000],
  ["0s", 0],
])("%s is a duration", (text, ms) => {
  expect(parseDuration("--retention", text)).toBe(ms);
});

test("an option that is not given sets nothing", () => {
  expect(parseDuration("--retention", undefined)).toBeUndefined();
});

test.each(["", "7", "d", "-7d", "7 d", "1w", "7D", "1e3s", "NaNs", `${"9".repeat(20)}d`])(
  "what is no duration is refused, with examples: %j",
  (text) => {
    expect(() => parseDuration("--retention", text)).toThrow(
      `--retention must be a duration such as 7d, 12h, 30m or 45s, not ${text}`,
    );
  },
);
