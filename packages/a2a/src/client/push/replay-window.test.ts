import { expect, test } from "vitest";
import { ReplayWindow } from "./replay-window.js";

test("a signature counts once", () => {
  const window = new ReplayWindow(10);
  expect(window.take("a", 100, 0)).toBe(true);
  expect(window.take("b", 100, 0)).toBe(true);
  expect(window.take("a", 100, 0)).toBe(false);
});

test("what has expired is forgotten, and makes room", () => {
  const window = new ReplayWindow(2);
  expect(window.take("a", 100, 0)).toBe(true);
  expect(window.take("b", 101, 0)).toBe(true);
  expect(window.take("c", 200, 150)).toBe(true);
  expect(window.take("d", 200, 150)).toBe(true);
  // Nothing was forgotten early, so nothing is turned away for its age.
  expect(window.take("e", 200, 300)).toBe(true);
});

test("what is forgotten early is not taken again, nor what is as old", () => {
  const window = new ReplayWindow(3);
  for (const at of [100, 101, 102, 103]) expect(window.take(`${at}`, at, 0)).toBe(true);
  expect(window.take("100", 100, 0)).toBe(false);
  expect(window.take("another of then", 100, 0)).toBe(false);
  for (const at of [101, 102, 103]) expect(window.take(`${at}`, at, 0)).toBe(false);
  expect(window.take("104", 104, 0)).toBe(true);
});

test("nothing counts twice, however many there are", () => {
  const window = new ReplayWindow(50);
  const taken = new Set<string>();
  for (let step = 0; step < 5000; step += 1) {
    const id = String((step * 7919) % 701);
    const isTaken = window.take(id, Number(id), 0);
    if (isTaken) expect(taken.has(id)).toBe(false);
    if (isTaken) taken.add(id);
  }
  expect(taken.size).toBeGreaterThan(50);
});
