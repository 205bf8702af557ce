import { expect, test } from "vitest";
import { createTestClock } from "../../../testing/create-test-clock.js";
import { isStoreFault } from "../../store-fault.js";
import type { FileFault } from "../operations.js";
import { FaultWatch } from "./fault-watch.js";
import type { Probe } from "./probe-file.js";

const full: FileFault = {
  what: "the disk is full",
  advice: "free some space",
  detail: "SQLITE_FULL",
  isFull: true,
  isDamaged: false,
};
const damaged: FileFault = {
  what: "it is damaged",
  detail: "SQLITE_CORRUPT",
  isFull: false,
  isDamaged: true,
};

function openWatch() {
  const clock = createTestClock();
  const reports: string[] = [];
  const probes: Probe[] = [];
  let fault: FileFault | undefined = full;
  const watch = new FaultWatch({
    path: "/data/parley.db",
    report: ({ message }) => void reports.push(message),
    probe: async (probe) => {
      probes.push(probe);
      return fault;
    },
    clock,
  });
  return {
    watch,
    clock,
    reports,
    probes,
    mend: () => (fault = undefined),
    /** Lets so much time pass that every probe that is due is done. */
    wait: async (seconds: number) => {
      for (let count = 0; count < seconds; count += 1) await clock.advance(1000);
    },
  };
}

const began =
  "the store /data/parley.db does not work: the disk is full; free some space. Callers get UNAVAILABLE until it works again (SQLITE_FULL).";
const ended = "the store /data/parley.db works again";

test("however many operations fail, and however often a probe does, one line says so", async () => {
  const { watch, wait, reports, probes, mend } = openWatch();
  expect(watch.problem).toBeUndefined();
  for (let count = 0; count < 100; count += 1) watch.failed(full, count);
  expect(reports).toEqual([began]);
  expect(watch.problem?.message).toBe("the store does not work: the disk is full");
  await wait(600);
  expect(reports).toEqual([began]);
  // After 1, 2, 4, 8, 16 seconds, and then every 30.
  expect(probes.length).toBeLessThan(26);
  expect(probes[0]).toEqual({ bytes: 99, reads: false });
  mend();
  await wait(31);
  expect(reports).toEqual([began, ended]);
  expect(watch.problem).toBeUndefined();
  const count = probes.length;
  await wait(60);
  expect(probes.length).toBe(count);
});

test("a caller is told nothing of the file, and its error is not reported again", () => {
  const { watch } = openWatch();
  const error = watch.failed(full, 1);
  expect(error.code).toBe("UNAVAILABLE");
  expect(JSON.stringify([error.message, error.details])).not.toMatch(/data|full/);
  expect(error.details.retryAfterSeconds).toBe(5);
  expect(isStoreFault(error)).toBe(true);
  expect(isStoreFault(new Error("the run failed", { cause: error }))).toBe(true);
  expect(isStoreFault(error.message)).toBe(false);
});

test("a fault that comes and goes is told once, and again when it was gone for a minute", async () => {
  const { watch, wait, reports, mend } = openWatch();
  mend();
  for (let count = 0; count < 20; count += 1) {
    watch.failed(full, 1);
    await wait(30);
  }
  expect(reports).toEqual([began, ended]);
  await wait(90);
  watch.failed(full, 1);
  expect(reports).toEqual([began, ended, began]);
});

test("another fault is another line, and both have to be over", async () => {
  const { watch, wait, reports, probes } = openWatch();
  watch.failed(full, 10);
  watch.failed(damaged, 20);
  expect(reports).toHaveLength(2);
  expect(watch.problem?.message).toBe("the store does not work: it is damaged");
  await wait(1);
  expect(probes).toEqual([{ bytes: 10, reads: true }]);
});

test("a store that is closed probes no more", async () => {
  const { watch, wait, probes, clock } = openWatch();
  watch.failed(full, 1);
  watch.stop();
  watch.failed(full, 1);
  await wait(60);
  expect(probes).toEqual([]);
  expect(clock.pending).toBe(0);
});
