import { expect, it } from "vitest";
import { parseCount, parseSize } from "./parse-number.js";

it("sizes have units", () => {
  const texts = ["512kb", "64mb", "1.5GB", "1b", undefined];
  expect(texts.map((text) => parseSize("--max-task-size", text))).toEqual([
    512 * 1024,
    64 * 1024 ** 2,
    1.5 * 1024 ** 3,
    1,
    undefined,
  ]);
});

it.each(["64", "mb", "0mb", "-1mb", "1tb", ""])("%j is no size", (text) => {
  const message = `--max-task-size must be a size such as 512kb, 64mb or 1gb, not ${text}`;
  expect(() => parseSize("--max-task-size", text)).toThrow(message);
});

it("counts are whole numbers from 1 on", () => {
  expect([parseCount("--rate", "1"), parseCount("--rate", undefined)]).toEqual([1, undefined]);
  for (const text of ["0", "-1", "1.5", "many", ""]) {
    expect(() => parseCount("--rate", text)).toThrow("--rate must be a whole number from 1 on");
  }
});
