import { expect, it, vi } from "vitest";
import { createTestClock } from "../../testing/create-test-clock.js";
import { LargeReads } from "./large-reads.js";

function open(maxBytes = 100) {
  const clock = createTestClock();
  return { clock, reads: new LargeReads({ maxBytes, clock }) };
}

/** Lets promises settle that need nothing but time. */
async function settle(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await Promise.resolve();
}

/** Whether a promise has settled so far. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const note = (): void => void (isSettled = true);
  promise.then(note, note);
  await settle();
  return !isSettled;
}

it("reads wait in order for the room that others give back", async () => {
  const { reads } = open();
  const giveBack = await reads.reserve("ada", 50);
  await reads.reserve("bob", 50);
  const large = reads.reserve("cid", 50);
  const small = reads.reserve("dan", 1);
  expect(await isPending(large)).toBe(true);
  expect(await isPending(small)).toBe(true);
  giveBack();
  giveBack();
  expect(await isPending(large)).toBe(false);
  expect(await isPending(small)).toBe(true);
});

it("one caller gets half of the room, and others do not wait for it", async () => {
  const { reads } = open();
  const giveBack = await reads.reserve("ada", 30);
  const second = reads.reserve("ada", 30);
  expect(await isPending(second)).toBe(true);
  expect(await isPending(reads.reserve("bob", 30))).toBe(false);
  giveBack();
  expect(await isPending(second)).toBe(false);
});

it("a read that is larger than all of the room gets it alone", async () => {
  const { reads } = open();
  const giveBack = await reads.reserve("ada", 1000);
  const other = reads.reserve("bob", 1);
  expect(await isPending(other)).toBe(true);
  giveBack();
  expect(await isPending(other)).toBe(false);
});

it("who has waited for ten seconds is refused and told when to ask again", async () => {
  const { reads, clock } = open();
  const giveBack = await reads.reserve("ada", 100);
  const refused = reads.reserve("bob", 1);
  refused.catch(() => undefined);
  await clock.advance(9999);
  expect(await isPending(refused)).toBe(true);
  await clock.advance(1);
  await expect(refused).rejects.toMatchObject({
    code: "RESOURCE_EXHAUSTED",
    details: { retryAfterSeconds: 5 },
  });
  giveBack();
  expect(await isPending(reads.reserve("bob", 100))).toBe(false);
});

it("only so many wait", async () => {
  const { reads } = open();
  await reads.reserve("ada", 100);
  for (let nth = 0; nth < 256; nth += 1) reads.reserve("bob", 1).catch(() => undefined);
  await expect(reads.reserve("bob", 1)).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" });
});

it("who leaves while waiting lets others pass", async () => {
  const { reads } = open();
  await reads.reserve("ada", 60);
  const leaving = new AbortController();
  const left = reads.reserve("bob", 50, leaving.signal);
  const next = reads.reserve("cid", 10);
  expect(await isPending(next)).toBe(true);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await isPending(next)).toBe(false);
});

it("readers of one thing share it and its room until the last has read it", async () => {
  const { reads } = open();
  const release = vi.fn();
  const load = vi.fn(async () => ({ value: {}, release }));
  const read = { caller: "ada", bytes: 100, load };
  const [one, other] = await Promise.all([reads.share("t 1", read), reads.share("t 1", read)]);
  expect(load).toHaveBeenCalledTimes(1);
  expect(other.value).toBe(one.value);
  const later = reads.share("t 2", read);
  one.release();
  one.release();
  expect(await isPending(later)).toBe(true);
  expect(release).not.toHaveBeenCalled();
  other.release();
  expect(await isPending(later)).toBe(false);
  expect(release).toHaveBeenCalledTimes(1);
});

it("what cannot be loaded takes no room", async () => {
  const { reads } = open();
  const load = (): Promise<never> => Promise.reject(new Error("gone"));
  await expect(reads.share("t 1", { caller: "ada", bytes: 100, load })).rejects.toThrow("gone");
  expect(await isPending(reads.reserve("bob", 100))).toBe(false);
});
