import { expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import { agent } from "../../src/server/index.js";
import { defaultSettings } from "../../src/server/settings.js";
import { NodeLease } from "../../src/server/upkeep/node-lease.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";

const leaseMs = 16_000;
const beatMs = leaseMs / 4;

async function openLease() {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const settings = { ...defaultSettings, leaseMs };
  const silent = () => undefined;
  const quiet = { report: silent, log: silent };
  const lease = new NodeLease({
    environment: { store, bus: createInProcessBus(), clock, settings, node: "n1", ...quiet },
    agent: agent({ name: "Echo", description: "Echoes.", run: () => "x" }),
    address: undefined,
  });
  await lease.renew();
  return { clock, lease };
}

it("a node claims within a beat and a quarter of its last renewal, and not later", async () => {
  const { clock, lease } = await openLease();
  await clock.advance(1.25 * beatMs - 1);
  expect(lease.mayClaim).toBe(true);
  await clock.advance(1);
  expect([lease.mayClaim, lease.isOver]).toEqual([false, false]);
  await lease.renew();
  expect(lease.mayClaim).toBe(true);
  lease.stop();
});

it("a renewal two beats after the last spares those whose leases have ended, for a lease", async () => {
  const { clock, lease } = await openLease();
  await clock.advance(2 * beatMs - 1);
  await lease.renew();
  expect(lease.isForgiving).toBe(false);
  await clock.advance(2 * beatMs);
  expect(lease.isForgiving).toBe(false);
  await lease.renew();
  expect([lease.mayClaim, lease.isForgiving]).toEqual([true, true]);
  // Renewals in time do not make it longer.
  for (let beat = 0; beat < 4; beat += 1) {
    expect(lease.isForgiving).toBe(true);
    await clock.advance(beatMs);
    await lease.renew();
  }
  expect(lease.isForgiving).toBe(false);
  lease.stop();
});
