import { describe, expect, it } from "vitest";
import { formatBytes, formatDuration, formatOffset, shortId } from "./format.js";

describe("numbers as people read them", () => {
  it.each([
    [0, "0 B"],
    [312, "312 B"],
    [1500, "1.5 KB"],
    [61_234, "61 KB"],
    [999_900, "1 MB"],
    [4_200_000, "4.2 MB"],
  ])("%d bytes are %s", (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  it.each([
    [0, "0 ms"],
    [380, "380 ms"],
    [4200, "4.2 s"],
    [59_960, "1 min"],
    [252_000, "4 min 12 s"],
    [3_600_000, "1 h"],
    [11_100_000, "3 h 5 min"],
    [187_200_000, "2 d 4 h"],
  ])("%d ms are %s", (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it.each([
    [412, "+0.412"],
    [12_345, "+12.3"],
    [255_250, "4:15.2"],
    [59_999, "+59.9"],
    [3_727_000, "1:02:07"],
  ])("%d ms after the beginning is %s", (ms, text) => {
    expect(formatOffset(ms)).toBe(text);
  });

  it("shortens long ids only", () => {
    expect(shortId("7f3a0000-0000-4000-8000-000000000c21")).toBe("7f3a…c21");
    expect(shortId("01a1ecff-32d0-70df-84ad-8b31654b8d35")).toBe("…654b8d35");
    expect(shortId("task-1")).toBe("task-1");
  });
});
