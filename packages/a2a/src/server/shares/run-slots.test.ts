import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";
import { RunSlots } from "./run-slots.js";
import type { RunLimits, RunSlot } from "./run-slots.js";

const ann: Owner = { tenant: "", subject: "ann" };
const bob: Owner = { tenant: "", subject: "bob" };
const eve: Owner = { tenant: "", subject: "eve" };

/** Slots whose runs note when they begin. */
function openSlots(limits: RunLimits & { readonly hasAuthentication?: boolean }) {
  const slots = new RunSlots(limits);
  const begun: string[] = [];
  const take = (name: string, owner: Owner): RunSlot => {
    const slot = slots.reserve(owner);
    void (slot.turn ?? Promise.resolve()).then(() => begun.push(name));
    return slot;
  };
  return { slots, begun, take };
}

/** Lets what was resolved be noticed. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

function refusalOf(work: () => unknown): A2AError {
  try {
    work();
  } catch (error) {
    if (A2AError.is(error)) return error;
  }
  throw new Error("it was not refused");
}

describe("places for runs", () => {
  it("go to the owners in turn, however many runs one of them has waiting", async () => {
    const { begun, take } = openSlots({ maxConcurrentRuns: 1, maxQueuedRuns: 100 });
    const first = take("ann 0", ann);
    const waiting = [1, 2, 3, 4].map((number) => take(`ann ${number}`, ann));
    waiting.push(take("bob 1", bob), take("eve 1", eve), take("bob 2", bob));
    first.release();
    for (const name of ["bob 1", "eve 1", "ann 1", "bob 2", "ann 2", "ann 3", "ann 4"]) {
      await settle();
      expect(begun.at(-1)).toBe(name);
      const all = ["ann 1", "ann 2", "ann 3", "ann 4", "bob 1", "eve 1", "bob 2"];
      waiting[all.indexOf(name)]?.release();
    }
    expect(begun).toHaveLength(8);
  });

  it("are at most so many of one owner's, and the rest are for the others", async () => {
    const { begun, take } = openSlots({
      maxConcurrentRuns: 3,
      maxQueuedRuns: 10,
      maxConcurrentRunsPerPrincipal: 2,
    });
    const [one] = [take("ann 1", ann), take("ann 2", ann), take("ann 3", ann)];
    take("bob 1", bob);
    await settle();
    expect(begun).toEqual(["ann 1", "ann 2", "bob 1"]);
    one?.release();
    await settle();
    expect(begun).toEqual(["ann 1", "ann 2", "bob 1", "ann 3"]);
  });

  it("are refused to an owner whose queue is full while others still get in", () => {
    const { take } = openSlots({
      maxConcurrentRuns: 1,
      maxQueuedRuns: 10,
      maxQueuedRunsPerPrincipal: 2,
    });
    for (const name of ["1", "2", "3"]) take(name, ann);
    const refused = refusalOf(() => take("4", ann));
    expect(refused.code).toBe("RESOURCE_EXHAUSTED");
    expect(refused.details.retryAfterSeconds).toBe(1);
    expect(refused.message).toBe("1 of your runs are at work and 2 wait; try again later");
    take("5", bob);
  });

  it("are shared out by default where callers are known, and all anyone's where they are not", () => {
    const limits = { maxConcurrentRuns: 8, maxQueuedRuns: 20 };
    const known = openSlots({ ...limits, hasAuthentication: true });
    for (let count = 0; count < 2 + 2; count += 1) known.take("run", ann);
    expect(refusalOf(() => known.take("run", ann)).code).toBe("RESOURCE_EXHAUSTED");
    const unknown = openSlots(limits);
    for (let count = 0; count < 28; count += 1) unknown.take("run", ann);
    expect(unknown.slots.isFull).toBe(true);
  });

  it("are never exceeded, never left unused, and never lost, whatever is taken and released", async () => {
    const owners = [ann, bob, eve];
    const step = fc.oneof(
      fc.record({ take: fc.nat(2) }),
      fc.record({ accepted: fc.nat(2) }),
      fc.record({ release: fc.nat(20) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const limits = {
          maxConcurrentRuns: 3,
          maxQueuedRuns: 6,
          maxConcurrentRunsPerPrincipal: 2,
          maxQueuedRunsPerPrincipal: 3,
        };
        const slots = new RunSlots(limits);
        const held: { readonly owner: Owner; readonly slot: RunSlot; isBusy: boolean }[] = [];
        const hold = (owner: Owner, slot: RunSlot): void => {
          const one = { owner, slot, isBusy: false };
          void (slot.turn ?? Promise.resolve()).then(() => (one.isBusy = true));
          held.push(one);
        };
        for (const one of steps) {
          if ("release" in one) {
            const [gone] = held.splice(one.release, 1);
            gone?.slot.release();
            gone?.slot.release();
          } else if ("accepted" in one) {
            const owner = owners[one.accepted] ?? ann;
            hold(owner, slots.enqueue(owner));
          } else {
            const owner = owners[one.take] ?? ann;
            try {
              hold(owner, slots.reserve(owner));
            } catch {
              // There is no room.
            }
          }
          await settle();
          const busy = held.filter(({ isBusy }) => isBusy);
          expect(busy.length).toBeLessThanOrEqual(limits.maxConcurrentRuns);
          for (const owner of owners) {
            const its = held.filter((slot) => slot.owner === owner);
            const busyOnes = its.filter(({ isBusy }) => isBusy).length;
            expect(busyOnes).toBeLessThanOrEqual(limits.maxConcurrentRunsPerPrincipal);
            const couldBegin =
              busyOnes < its.length && busyOnes < limits.maxConcurrentRunsPerPrincipal;
            expect(couldBegin && busy.length < limits.maxConcurrentRuns).toBe(false);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
