import { execFileSync } from "node:child_process";
import process from "node:process";
import { simulate } from "@parley/a2a/testing";
import { expect, test } from "vitest";
import { rounds } from "../support/rounds.js";

/** Faults that strike nodes or tasks; clocks and copies are wrong all the time. */
const striking = [
  "answer-lost",
  "bus-lost",
  "bus-silent",
  "crash",
  "cut",
  "drain",
  "failover",
  "late",
  "leave",
  "lost",
  "outage",
  "pause",
  "push-fails",
  "refused",
  "restart",
  "slow",
  "wake-late",
  "wake-lost",
  "wake-repeated",
];

test("no seed shows anything that must not be, and every fault strikes tasks that work and tasks that wait", async () => {
  const { failures, coverage, operations, seeds } = await simulate({ seeds: rounds(1000) });
  expect(failures).toEqual([]);
  expect(seeds).toBe(rounds(1000));
  expect(Object.keys(coverage).toSorted()).toEqual(striking);
  // Which task an answer to a caller is about is not looked at.
  for (const fault of striking.filter((name) => name !== "answer-lost")) {
    expect(coverage[fault]?.["working"], `${fault} while a task works`).toBeGreaterThan(0);
    expect(coverage[fault]?.["input_required"], `${fault} while a task waits`).toBeGreaterThan(0);
    const waits = `${fault} while a task waits for authorization`;
    expect(coverage[fault]?.["auth_required"], waits).toBeGreaterThan(0);
  }
  for (const operation of ["cancel", "configure-push", "get", "resume", "send", "send-again"]) {
    expect(operations[operation]?.["working"], `${operation} while a task works`).toBeGreaterThan(
      0,
    );
  }
  expect(operations["delete"]?.["completed"]).toBeGreaterThan(0);
});

test("a seed gives the same trace in another process", async () => {
  const { hash } = await simulate({ seed: 7000, seeds: 4 });
  const script = `
    import { simulate } from "@parley/a2a/testing";
    console.log((await simulate({ seed: 7000, seeds: 4 })).hash);
  `;
  const elsewhere = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  expect(elsewhere.trim()).toBe(hash);
  expect((await simulate({ seed: 7001, seeds: 4 })).hash).not.toBe(hash);
});

test("refuses a fault that it does not know", async () => {
  await expect(simulate({ faults: ["crush" as "crash"] })).rejects.toThrow(
    "there is no fault crush; expected crash, pause",
  );
});
