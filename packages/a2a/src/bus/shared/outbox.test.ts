import { expect, test } from "vitest";
import { Outbox } from "./outbox.js";

test("the highest sequence of a task stands for all", () => {
  const outbox = new Outbox();
  for (const sequence of [3, 7, 5]) outbox.add("a", sequence);
  expect(outbox.take()).toEqual({ wakeUps: new Map([["a", 7]]), told: [], hasGap: false });
  expect(outbox.isEmpty).toBe(true);
});

test("equal messages of a topic are one", () => {
  const outbox = new Outbox();
  outbox.add("a", 1);
  for (let time = 0; time < 10; time += 1) outbox.tell({ topic: "drain", message: "n1" });
  outbox.tell({ topic: "abandoned", message: "n1" });
  expect(outbox.take()).toEqual({
    wakeUps: new Map([["a", 1]]),
    told: [
      { topic: "drain", message: "n1" },
      { topic: "abandoned", message: "n1" },
    ],
    hasGap: false,
  });
  expect(outbox.isEmpty).toBe(true);
});

test("long messages have batches of their own", () => {
  const outbox = new Outbox();
  for (const letter of ["a", "b"]) outbox.tell({ topic: "drain", message: letter.repeat(1000) });
  expect(outbox.take().told.length).toBe(1);
  expect(outbox.take().told.length).toBe(1);
  expect(outbox.isEmpty).toBe(true);
});

test("a batch holds what fits into 7.9 KB", () => {
  const outbox = new Outbox();
  const key = (index: number): string => index.toString(16).padStart(16, "0");
  for (let index = 0; index < 1000; index += 1) outbox.add(key(index), Number.MAX_SAFE_INTEGER);
  const sizes: number[] = [];
  while (!outbox.isEmpty) {
    const { wakeUps } = outbox.take();
    sizes.push([...wakeUps].map(([name, sequence]) => `${name}:${sequence}\n`).join("").length);
  }
  expect(sizes.length).toBe(5);
  expect(Math.max(...sizes)).toBeLessThan(7800);
});

test("what was not sent is sent again, unless something newer stands for it", () => {
  const outbox = new Outbox();
  outbox.add("a", 1);
  outbox.add("b", 1);
  const batch = outbox.take();
  outbox.add("a", 2);
  outbox.putBack(batch);
  expect(outbox.take().wakeUps).toEqual(
    new Map([
      ["a", 2],
      ["b", 1],
    ]),
  );
});

test("too many tasks leave a gap, of which the next batch tells once", () => {
  const outbox = new Outbox();
  for (let index = 0; index <= 4096; index += 1) outbox.add(`${index}`, 1);
  const first = outbox.take();
  expect(first.hasGap).toBe(true);
  expect(first.wakeUps.has("0")).toBe(false);
  expect(first.wakeUps.has("1")).toBe(true);
  expect(outbox.take().hasGap).toBe(false);
  outbox.putBack(first);
  expect(outbox.take().hasGap).toBe(true);
});
