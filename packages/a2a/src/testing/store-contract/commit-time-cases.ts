import { assert, assertEqual } from "../assert.js";
import {
  agent,
  all,
  appendAtEnd,
  appendNext,
  chunk,
  createTask,
  creation,
  leaseMs,
  nodeInfo,
  range,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

export const commitTimeCases: StoreStatements = {
  "an append says where the log stands after it": async ({ store }) => {
    const { at, ...created } = await store.append(creation("t1", {}, { epoch: 7 }));
    assertEqual(created, { sequence: 1, epoch: 7, queued: 0 }, "the answer to the first");
    assert(Number.isSafeInteger(at), `${at} is no number of milliseconds`);
    const events = [chunk("a"), chunk("b"), chunk("c")];
    const { at: _, ...next } = await appendNext(store, "t1", { events });
    assertEqual(next, { sequence: 4, epoch: 7, queued: 0 }, "the answer to the next");
    const { at: __, ...empty } = await appendNext(store, "t1", { events: [] });
    assertEqual(empty, { sequence: 4, epoch: 7, queued: 0 }, "the answer to one without events");
  },

  "every entry has the time of its commit, wherever it is read": async ({ store, another }) => {
    const { at: first } = await store.append(creation("t1"));
    const times = [first];
    const task = { id: "t1", status: { state: "TASK_STATE_WORKING" } } as const;
    for (const number of range(4)) {
      // The long chunk is longer than one row of a store that packs several events into a row.
      const events = [chunk("a"), chunk("x".repeat(40_000)), chunk("b")];
      const checkpoint = number === 1 && { checkpoint: task };
      const { at } = await appendNext(store, "t1", { events, ...checkpoint });
      times.push(at, at, at);
    }
    const { at: last } = await appendAtEnd(await another(), "t1");
    times.push(last);
    for (const node of [store, await another()]) {
      const timesOf = (log: readonly { readonly at: number }[] = []): number[] =>
        log.map(({ at }) => at);
      assertEqual(timesOf(await node.read("t1", 0, all)), times, "the times of the log");
      assertEqual(timesOf(await node.read("t1", 2, 3)), times.slice(2, 5), "those of a part");
      const stored = await node.load("t1");
      assertEqual(timesOf(stored?.tail), times.slice(7), "those of a tail that is loaded");
      const { tasks } = await node.list({ agent, limit: all });
      assertEqual(timesOf(tasks[0]?.tail), times.slice(7), "those of a tail that is listed");
    }
  },

  "times never fall within a log, whoever writes to it": async ({ store, another }) => {
    const nodes = [store, await another()];
    await createTask(store, "t1");
    await Promise.all(range(40).map((number) => appendAtEnd(nodes[number % 2] ?? store, "t1")));
    const log = await store.read("t1", 0, all);
    for (const [index, { at }] of log.entries()) {
      const before = log[index - 1]?.at ?? at;
      assert(at >= before, `entry ${index + 1} of ${at} follows one of ${before}`);
    }
  },

  "nodes and logs have the same time": async ({ store, another }) => {
    const { now: before } = await store.renewNode("n1", leaseMs, nodeInfo);
    const { at } = await (await another()).append(creation("t1"));
    const { now: after } = await store.renewNode("n1", leaseMs, nodeInfo);
    assert(before <= at && at <= after, `${at} is not between ${before} and ${after}`);
  },
};
