import { expect, test } from "vitest";
import { encode, readLines, readStamp } from "./payload.js";

function heard(text: string): unknown[] {
  const all: unknown[] = [];
  readLines(text, {
    wake: (...wakeUp) => all.push(wakeUp),
    hear: (...told) => all.push(told),
    miss: () => all.push("miss"),
  });
  return all;
}

test("a text says who sent it and what is in it", () => {
  const text = encode(
    { sender: "ab12", number: 7 },
    {
      wakeUps: new Map([["00ff", 9_007_199_254_740_991]]),
      told: [{ topic: "drain", message: 'a "node"\n\nof two lines \u0000 \ud800' }],
      hasGap: true,
    },
  );
  expect(readStamp(text)).toEqual({ sender: "ab12", number: 7 });
  expect(text).not.toContain("\n\n");
  expect(text).not.toContain("\0");
  expect(heard(text)).toEqual([
    "miss",
    ["drain", 'a "node"\n\nof two lines \u0000 \ud800'],
    ["00ff", 9_007_199_254_740_991],
  ]);
});

test("a text without a batch says who is there", () => {
  const text = encode({ sender: "ab12", number: 1 });
  expect(readStamp(text)).toEqual({ sender: "ab12", number: 1 });
  expect(heard(text)).toEqual([]);
});

test.each(["", "hello", "a b", "{}", "x".repeat(9000), "\n\n"])("%j is nothing of ours", (text) => {
  expect(readStamp(text)).toBeUndefined();
});

test("lines of later versions are ignored", () => {
  expect(heard('ab12 1\nnews "x"\n00ff:1:2\n??\ndrain not json\n00ff:2')).toEqual([["00ff", 2]]);
});
