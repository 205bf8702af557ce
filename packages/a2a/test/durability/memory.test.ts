import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFolder } from "../support/files/open-folder.js";
import { SubjectProcess } from "./subject-process.js";

const chunks = 100_000;
const stalledReaders = 500;
const endlessHandlers = 500;
/**
 * The flooded task itself is 10 MB of text in 100,000 parts, and now and then there is a copy of it as
 * JSON on its way to the store. Were every stalled reader to keep what it has not read, that would be 50
 * million references, 400 MB, more.
 */
const boundBytes = 128 * 1024 * 1024;

test("stalled readers, endless handlers and a flood of chunks stay within bounds, and others are served", async () => {
  await using folder = await openFolder();
  await using subject = await SubjectProcess.start({ path: folder.file() });
  const idle = (await subject.memory()).heapUsed;
  await Promise.all(
    Array.from({ length: endlessHandlers }, () => subject.send("forever", { immediate: true })),
  );
  const { id } = await subject.sendForTask(`flood ${chunks}`, { immediate: true });
  await subject.stall(id, stalledReaders);

  let isOver = false;
  const followed = subject.follow(id).finally(() => (isOver = true));
  let peak = 0;
  let served = 0;
  for (; !isOver; served += 1) {
    const { message } = await subject.send("hello");
    expect(message?.parts).toEqual([{ text: "You said: hello" }]);
    peak = Math.max(peak, (await subject.memory()).heapUsed);
    await sleep(200);
  }
  expect(await followed).toBe(chunks);
  expect(served, "answers while the flood went on").toBeGreaterThan(1);
  expect(peak).toBeLessThan(boundBytes);

  const left = (await subject.readOn()).map(Number);
  expect(left.length).toBeGreaterThan(0);
  expect(left).toEqual(Array.from(left.keys(), (index) => chunks - left.length + index));
  await subject.letGo();
  // The endless handlers remain; of the flood nothing does.
  expect((await subject.memory()).heapUsed).toBeLessThan(idle + 16 * 1024 * 1024);
  expect(subject.reports).toEqual([]);
});
