import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openReceiver } from "../support/servers/open-receiver.js";
import { openFolder } from "../support/files/open-folder.js";
import { SubjectProcess } from "./subject-process.js";

const chunks = 20_000;
/**
 * The task itself is 2 MB of text in 20,000 parts, held by the run and by its checkpoint on the way to the
 * store. What waits for the receiver is in the store: were it held here, it would be ten times that.
 */
const boundBytes = 32 * 1024 * 1024;

test("a receiver that hangs during a long task costs no memory, and streams do not notice", async () => {
  await using folder = await openFolder();
  await using receiver = await openReceiver({ answer: () => undefined });
  await using subject = await SubjectProcess.start({
    path: folder.file(),
    push: true,
    // However long it takes, the one attempt that is under way goes on.
    settings: { pushTimeoutMs: 3_600_000 },
  });
  // What is loaded and compiled once is not counted.
  await subject.send(`flood ${chunks}`);
  const idle = (await subject.memory()).heapUsed;

  const tasks = await Promise.all(
    [receiver.url, undefined].map((pushTo) =>
      subject.sendForTask(`flood ${chunks}`, { immediate: true, ...(pushTo && { pushTo }) }),
    ),
  );
  const durations: number[] = [];
  let peak = 0;
  const following = tasks.map(async ({ id }) => {
    const startedAt = performance.now();
    expect(await subject.follow(id)).toBe(chunks);
    durations.push(performance.now() - startedAt);
  });
  const watching = async (): Promise<void> => {
    while (durations.length < tasks.length) {
      peak = Math.max(peak, (await subject.memory()).heapUsed);
      await sleep(50);
    }
  };
  await Promise.all([...following, watching()]);
  await receiver.until(1);
  expect(receiver.received.length, "attempts, one at a time").toBe(1);
  // The last chunk tells that it is the last, or an update after it does.
  expect([chunks + 3, chunks + 4]).toContain((await subject.countPushes()).waiting);
  expect(peak - idle, "while two tasks are written").toBeLessThan(boundBytes);
  const left = (await subject.memory()).heapUsed - idle;
  expect(left, "while all of it waits").toBeLessThan(2 * 1024 * 1024);
  const [first = 0, last = 0] = durations;
  expect(last, "the stream of the other task and of this one").toBeLessThan(2 * first + 1000);
  expect(subject.reports).toEqual([]);
});
