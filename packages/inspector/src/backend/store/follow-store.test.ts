import type { Store, TaskRecord } from "@parley/a2a/store";
import { expect, test, vi } from "vitest";
import type { FeedItem } from "../../contract/index.js";
import { Feed } from "../record/feed.js";
import { followStore } from "./follow-store.js";

test("the first look tells what a reader may have missed, and later looks only what has changed", async () => {
  vi.useFakeTimers();
  const sequences = new Map([
    ["one", 3],
    ["two", 5],
  ]);
  const feed = new Feed();
  const stop = followStore({ store: storeOf(sequences) }, feed);
  const told: FeedItem[] = [];
  const reader = feed.read()[Symbol.asyncIterator]();
  void (async () => {
    for (;;) {
      const { done, value } = await reader.next();
      if (done === true) return;
      told.push(value);
    }
  })();
  try {
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toMatchObject([
      { kind: "task", taskId: "one", sequence: 3 },
      { kind: "task", taskId: "two", sequence: 5 },
    ]);
    sequences.set("two", 6);
    await vi.advanceTimersByTimeAsync(2000);
    expect(told.slice(2)).toMatchObject([{ kind: "task", taskId: "two", sequence: 6 }]);
  } finally {
    stop();
    await reader.return?.();
    vi.useRealTimers();
  }
});

/** What the looks ask of a store, with tasks at these positions of their logs. */
function storeOf(sequences: ReadonlyMap<string, number>): Store {
  const list = (): object => ({
    tasks: [...sequences].map(([taskId, sequence]) => ({
      record: { taskId, sequence, state: "TASK_STATE_WORKING" } as TaskRecord,
    })),
  });
  return {
    listNodes: () => Promise.resolve([]),
    listAgents: () => Promise.resolve(["worker"]),
    list: () => Promise.resolve(list()),
  } as unknown as Store;
}
