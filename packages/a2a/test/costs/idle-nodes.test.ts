import { expect, it } from "vitest";
import { agent, openRuntime } from "@parley/a2a/server";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { createTestClock } from "@parley/a2a/testing";
import { openFolder } from "../support/files/open-folder.js";
import { intercept } from "../support/runtime/intercept.js";
import { until } from "../support/time/until.js";

const leaseMs = 12_000;
const beatMs = leaseMs / 4;

it("a node lists what it holds for a lease after others have written, and rarely when nobody has", async () => {
  await using folder = await openFolder();
  const path = folder.file();
  const clock = createTestClock();
  await using store = await openSqliteStore({ path, clock });
  await using other = await openSqliteStore({ path, clock });
  let looks = 0;
  let beats = 0;
  intercept(store, "listHeld", () => void (looks += 1));
  // The last that a beat of recovery asks for.
  intercept(store, "claimAbandoned", () => void (beats += 1));
  const subject = agent({ name: "Idle", description: "Is at rest", run: () => "x" });
  await using _ = await openRuntime({ agent: subject, store, clock, settings: { leaseMs } });
  const pass = async (count: number): Promise<number> => {
    const before = looks;
    for (let beat = 0; beat < count; beat += 1) {
      const next = beats + 1;
      await clock.advance(beatMs);
      await until(() => beats === next, "the next beat");
      // Answers come in order: after this one the beat is over.
      await store.settleSecret("a", "b");
    }
    return looks - before;
  };
  await pass(4);
  expect(await pass(32), "when nobody writes").toBe(2);
  await other.settleSecret("another", "process");
  expect(await pass(4), "when another process has written").toBe(4);
  expect(await pass(15), "after that").toBe(0);
});
