import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import type { RunSlot } from "./run-slot.js";
import { RunSlots } from "./run-slots.js";
import type { RunLimits } from "./run-slots.js";
import { unknownCallers } from "./share.js";

const [ann, bob, eve] = ["principal ann", "principal bob", "address 192.0.2.7"];

/** Slots whose runs note when they begin. */
function openSlots(limits: RunLimits) {
  const slots = new RunSlots(limits);
  const begun: string[] = [];
  const take = (name: string, share: string, kind: "task" | "reply" = "task"): RunSlot => {
    const slot = slots.reserve(share, kind);
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

describe("slots for runs", () => {
  it("go to the callers in turn, however many runs one of them has waiting", async () => {
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

  it("are at most so many of one caller's, and the rest are for the others", async () => {
    const { begun, take } = openSlots({
      maxConcurrentRuns: 3,
      maxQueuedRuns: 10,
      maxConcurrentRunsPerPrincipal: 2,
      maxQueuedRunsPerPrincipal: 2,
    });
    const [one] = [take("ann 1", ann), take("ann 2", ann), take("ann 3", ann)];
    take("bob 1", bob);
    await settle();
    expect(begun).toEqual(["ann 1", "ann 2", "bob 1"]);
    one?.release();
    await settle();
    expect(begun).toEqual(["ann 1", "ann 2", "bob 1", "ann 3"]);
  });

  it("are refused to a caller whose queue is full while others still get in", () => {
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

  it("are shared out by default, and all anyone's where callers cannot be told apart", () => {
    const limits = { maxConcurrentRuns: 8, maxQueuedRuns: 20 };
    const known = openSlots(limits);
    for (let count = 0; count < 2 + 2; count += 1) known.take("run", ann);
    expect(refusalOf(() => known.take("run", ann)).code).toBe("RESOURCE_EXHAUSTED");
    const unknown = openSlots(limits);
    for (let count = 0; count < 28; count += 1) unknown.take("run", unknownCallers);
    expect(unknown.slots.isFull).toBe(true);
  });

  it("are kept in the last tenth for callers with nothing at work, at their limits as many as may be", () => {
    const { slots, take } = openSlots({ maxConcurrentRuns: 40, maxQueuedRuns: 1000 });
    const four = ["a", "b", "c", "d"].map((name) => `principal ${name}`);
    for (let round = 0; round < 20; round += 1) for (const name of four) take("run", name);
    expect(slots.figures.tasks.working).toBe(36);
    expect(slots.isSaturated).toBe(true);
    const fifth = take("fifth", ann);
    expect(fifth.turn).toBeUndefined();
    expect(take("its second", ann).turn).toBeDefined();
    for (const name of [bob, eve, "principal f"]) expect(take("run", name).turn).toBeUndefined();
    expect(take("nobody's", "principal g").turn).toBeDefined();
    expect(slots.figures.tasks.working).toBe(40);
  });

  it("are free for replies however many tasks are at work", () => {
    const { take } = openSlots({ maxConcurrentRuns: 4, maxQueuedRuns: 100 });
    for (const name of ["a", "b", "c", "d", "e", "f"]) take("run", `principal ${name}`);
    expect(take("question", "principal a", "reply").turn).toBeUndefined();
  });
});

describe("a run that becomes a task", () => {
  const limits = { maxConcurrentRuns: 1, maxConcurrentReplies: 1, maxQueuedRuns: 1 };

  it("leaves its reply slot to the next at once if there is a task slot", () => {
    const { slots, take } = openSlots(limits);
    const first = take("first", ann, "reply");
    first.becomeTask();
    expect(first.pause()).toBeUndefined();
    expect(take("second", bob, "reply").turn).toBeUndefined();
    expect(slots.figures.tasks.working).toBe(1);
  });

  it("works on in its reply slot if there is none, and leaves it when it pauses", async () => {
    const { slots, begun, take } = openSlots(limits);
    const task = take("task", ann);
    const run = take("run", bob, "reply");
    run.becomeTask();
    expect(run.turn).toBeUndefined();
    expect(slots.figures.replies.working).toBe(1);
    const paused = run.pause();
    expect(paused).toBeDefined();
    void paused?.then(() => begun.push("run again"));
    expect(slots.figures.replies.working).toBe(0);
    await settle();
    expect(begun).toEqual(["task", "run"]);
    task.release();
    await settle();
    expect(begun).toEqual(["task", "run", "run again"]);
    expect(run.pause()).toBeUndefined();
  });

  it("pauses also if it had waited for its reply slot", async () => {
    const { begun, take } = openSlots({ ...limits, maxQueuedRuns: 10 });
    take("task", ann);
    const first = take("first", bob, "reply");
    const second = take("second", eve, "reply");
    first.release();
    await settle();
    expect(begun).toEqual(["task", "first", "second"]);
    second.becomeTask();
    void second.pause()?.then(() => begun.push("second again"));
    await settle();
    expect(begun).toHaveLength(3);
  });

  it("moves to a task slot that becomes free while it works", async () => {
    const { slots, take } = openSlots(limits);
    const task = take("task", ann);
    const run = take("run", bob, "reply");
    run.becomeTask();
    task.release();
    expect(slots.figures).toMatchObject({ tasks: { working: 1 }, replies: { working: 0 } });
    run.release();
    expect(slots.figures).toMatchObject({ tasks: { working: 0 }, replies: { working: 0 } });
  });

  it("does not pause while the queue is full, or longer than there are task slots", () => {
    const long = openSlots({ ...limits, maxQueuedRuns: 100 });
    long.take("task", ann);
    long.take("waiting task", eve);
    const other = long.take("run", bob, "reply");
    other.becomeTask();
    expect(other.pause()).toBeUndefined();
    expect(long.slots.figures.replies.working).toBe(1);
    const { slots, take } = openSlots(limits);
    take("task", ann);
    take("waiting task", eve);
    const run = take("run", bob, "reply");
    run.becomeTask();
    expect(run.pause()).toBeUndefined();
    expect(slots.refusesAll).toBe(true);
  });

  it("waits for a task slot instead if it has not begun", async () => {
    const { begun, take } = openSlots(limits);
    take("first", ann, "reply");
    const second = take("second", bob, "reply");
    second.becomeTask();
    await settle();
    expect(begun).toEqual(["first", "second"]);
  });
});

interface Held {
  readonly share: string;
  readonly slot: RunSlot;
  isBegun: boolean;
}

describe("whatever is taken, turned into tasks and released", () => {
  const shares = [ann, bob, eve, "principal f"];
  const kind = fc.constantFrom("task" as const, "reply" as const);
  const step = fc.oneof(
    { arbitrary: fc.record({ reserve: fc.nat(3), kind }), weight: 4 },
    { arbitrary: fc.record({ enqueue: fc.nat(3) }), weight: 2 },
    { arbitrary: fc.record({ become: fc.nat(20) }), weight: 1 },
    { arbitrary: fc.record({ pause: fc.nat(20) }), weight: 1 },
    { arbitrary: fc.record({ release: fc.nat(20) }), weight: 3 },
  );
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
  const steps = fc.array(step, { minLength: 40, maxLength: 80 });
  const limits = {
    maxConcurrentRuns: 11,
    maxConcurrentReplies: 4,
    maxQueuedRuns: 12,
    maxConcurrentRunsPerPrincipal: 5,
    maxQueuedRunsPerPrincipal: 6,
  };

  function play(slots: RunSlots, held: Held[], one: Step): void {
    const hold = (share: string, slot: RunSlot): void => {
      const entry = { share, slot, isBegun: slot.turn === undefined };
      void slot.turn?.then(() => (entry.isBegun = true));
      held.push(entry);
    };
    if ("release" in one) {
      const [gone] = held.splice(one.release, 1);
      gone?.slot.release();
      gone?.slot.release();
    } else if ("become" in one) held[one.become]?.slot.becomeTask();
    else if ("pause" in one) {
      const paused = held[one.pause];
      if (paused?.isBegun !== true) return;
      const turn = paused.slot.pause();
      paused.isBegun = turn === undefined;
      void turn?.then(() => (paused.isBegun = true));
    } else if ("enqueue" in one) {
      const share = shares[one.enqueue] ?? ann;
      hold(share, slots.enqueue(share));
    } else {
      const share = shares[one.reserve] ?? ann;
      try {
        hold(share, slots.reserve(share, one.kind));
      } catch {
        // There is no room.
      }
    }
  }

  it("no limit is exceeded, and no slot is left to nobody while somebody may have it", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const slots = new RunSlots(limits);
        const held: Held[] = [];
        for (const one of given) {
          const before = new Map(shares.map((share) => [share, slots.tasks.countOf(share).busy]));
          play(slots, held, one);
          await settle();
          const begun = held.filter(({ isBegun }) => isBegun).length;
          const { tasks, replies, waiting } = slots.figures;
          expect(begun).toBe(tasks.working + replies.working);
          expect(tasks.working).toBeLessThanOrEqual(limits.maxConcurrentRuns);
          expect(replies.working).toBeLessThanOrEqual(limits.maxConcurrentReplies);
          for (const share of shares) {
            const { busy, waiting: its } = slots.tasks.countOf(share);
            expect(busy).toBeLessThanOrEqual(limits.maxConcurrentRunsPerPrincipal);
            expect(its > 0 && slots.tasks.hasRoom(share)).toBe(false);
            const isLast = tasks.working === limits.maxConcurrentRuns;
            if (isLast && busy > (before.get(share) ?? 0)) expect(before.get(share)).toBe(0);
          }
          expect(waiting).toBeGreaterThanOrEqual(held.length - begun);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("every run begins once those before it have ended, and nothing is left in the end", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const slots = new RunSlots(limits);
        const held: Held[] = [];
        for (const one of given) play(slots, held, one);
        await settle();
        const turns = held.length;
        for (let turn = 0; turn < turns && held.length > 0; turn += 1) {
          const index = held.findIndex(({ isBegun }) => isBegun);
          expect(index).toBeGreaterThanOrEqual(0);
          held.splice(index, 1)[0]?.slot.release();
          await settle();
        }
        expect(held).toEqual([]);
        expect(slots.figures).toMatchObject({
          tasks: { working: 0 },
          replies: { working: 0 },
          waiting: 0,
        });
      }),
      { numRuns: 300 },
    );
  });
});
