import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contradictions } from "../spec/contradictions.js";
import type { Contradiction } from "../spec/contradictions.js";

const ids = Array.from({ length: 42 }, (_, index) => `C${index + 1}`);
const entries: readonly (readonly [string, Contradiction])[] = Object.entries(contradictions);

describe("the table of contradictions", () => {
  it("has the forty-two entries in order", () => {
    expect(Object.keys(contradictions)).toEqual(ids);
  });

  it("states each topic in a phrase and each resolution in a sentence", () => {
    const malformed = entries.filter(
      ([, { topic, resolution }]) => /^[A-Z]|\.$/.test(topic) || !/[^.]\.$/.test(resolution),
    );
    expect(malformed).toEqual([]);
  });

  it("says nothing twice", () => {
    const topics = entries.map(([, { topic }]) => topic);
    expect(new Set(topics).size).toBe(topics.length);
  });
});

describe("the tests of the contradictions", () => {
  const titles = readdirSync(import.meta.dirname)
    .filter((name) => /^contradictions-.+\.test\.ts$/.test(name))
    .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
    .flatMap((source) => [...source.matchAll(/\bdescribe\(\s*"(C\d+) /g)])
    .map(([, id]) => id);

  it.each(ids)("show how %s is resolved, in one place", (id) => {
    expect(titles.filter((title) => title === id)).toEqual([id]);
  });

  it("show nothing that the table does not have", () => {
    expect(titles.filter((title) => !ids.includes(title ?? ""))).toEqual([]);
  });
});
