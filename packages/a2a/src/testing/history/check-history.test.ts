import { describe, expect, it } from "vitest";
import { checkHistory } from "./check-history.js";
import type { FinalEntry, FinalTask, History, HistoryCall, StreamedEvent } from "./history.js";
import { sampleHistory } from "../../../test/cluster/sample-history.js";
import { shortenHistory } from "./shorten-history.js";
import type { Invariant } from "./violation.js";

type Change = (history: History) => History;

function withCall(index: number, change: Partial<HistoryCall>): Change {
  return (history) => ({
    ...history,
    calls: history.calls.map((call, at) => (at === index ? { ...call, ...change } : call)),
  });
}

function addCall(call: HistoryCall): Change {
  return (history) => ({ ...history, calls: [...history.calls, call] });
}

function withEvents(
  change: (events: readonly StreamedEvent[]) => readonly StreamedEvent[],
): Change {
  return (history) => ({
    ...history,
    streams: history.streams.map((stream) => ({ ...stream, events: change(stream.events) })),
  });
}

function withTask(change: (task: FinalTask) => FinalTask): Change {
  return (history) => ({
    ...history,
    end: { ...history.end, tasks: history.end.tasks.map(change) },
  });
}

function withLog(change: (log: readonly FinalEntry[]) => readonly FinalEntry[]): Change {
  return withTask((task) => ({ ...task, log: change(task.log) }));
}

function withEnd(change: Partial<History["end"]>): Change {
  return (history) => ({ ...history, end: { ...history.end, ...change } });
}

const taskId = "t1";
const agent = "Chaos";

/** What is wrong, the invariant that says so, and a part of what it says. */
const broken: readonly (readonly [string, Invariant, string, Change])[] = [
  [
    "an answered message that is lost",
    "acknowledged",
    "m9 was answered and is in the log 0 times",
    addCall({
      operation: "send",
      outcome: "answered",
      begunAt: 98,
      endedAt: 99,
      taskId,
      messageId: "m9",
    }),
  ],
  [
    "a refused message that is in the log",
    "acknowledged",
    "it should not be there",
    withCall(4, { outcome: "refused" }),
  ],
  [
    "a message of unknown outcome that is there twice",
    "acknowledged",
    "message of key k1 was answered and is in the log 2 times",
    withLog((log) =>
      log.map((entry, index) => (index === 6 ? { ...entry, event: log[1]!.event } : entry)),
    ),
  ],
  [
    "an answer that names another task than the log",
    "acknowledged",
    "is in the log of t1",
    withCall(0, { taskId: "t2", digest: "" }),
  ],
  [
    "an answered cancel that is lost",
    "acknowledged",
    "neither the request nor the status",
    withCall(5, { taskId: "t2" }),
  ],
  [
    "a push configuration that is lost",
    "acknowledged",
    "w2 was created, but",
    withCall(3, { configId: "w2" }),
  ],
  [
    "a gap in a stream",
    "streams",
    "event 6 is missing between 4 and 8",
    withEvents((events) => events.toSpliced(2, 1)),
  ],
  [
    "a repetition in a stream",
    "streams",
    "event 6 came after event 6",
    withEvents((events) => events.toSpliced(3, 0, events[2]!)),
  ],
  [
    "an event that was told before it was committed and then lost",
    "streams",
    "event 11, which the log does not show",
    withEvents((events) => [...events, { at: 9, id: 11, hash: "?" }]),
  ],
  [
    "an event that differs from the log",
    "streams",
    "event 8 is another one than in the log",
    withEvents((events) => events.toSpliced(3, 1, { ...events[3]!, hash: "?" })),
  ],
  [
    "a stream that begins with a task that never was",
    "streams",
    "its task as of 2 is not what the log makes",
    withEvents((events) => events.toSpliced(0, 1, { ...events[0]!, hash: "?" })),
  ],
  [
    "a reconnect that goes back",
    "streams",
    "goes back to the task as of 2 after event 10",
    withEvents((events) => [...events, events[0]!]),
  ],
  [
    "a message that overtakes an answered one",
    "order",
    "m1, sent at 61, is entry 2, but entry 7 was answered before",
    withCall(0, { begunAt: 61, endedAt: 69 }),
  ],
  [
    "a read that misses what was answered before it",
    "order",
    "shows the task as of 6, but entry 7 was answered before",
    withCall(2, { begunAt: 62, endedAt: 65 }),
  ],
  [
    "a read of a task that never was",
    "order",
    "shows a task that the log never made",
    withCall(2, { digest: "?" }),
  ],
  ["a hole in a log", "log", "entry 4 has the number 5", withLog((log) => log.toSpliced(3, 1))],
  [
    "entries after the end",
    "log",
    "ended with entry 4, and 6 entries follow",
    withLog((log) =>
      log.map((entry, index) => (index === 3 ? { ...entry, event: log[9]!.event } : entry)),
    ),
  ],
  [
    "an epoch that falls",
    "log",
    "entry 8 is of epoch 1, after epoch 2",
    withLog((log) => log.map((entry, index) => (index === 7 ? { ...entry, epoch: 1 } : entry))),
  ],
  [
    "two writers under one epoch",
    "log",
    "entry 8 of epoch 2 is of n1; n2 wrote under that epoch before",
    withLog((log) => log.map((entry, index) => (index === 7 ? { ...entry, writer: "n1" } : entry))),
  ],
  [
    "a step that is recorded twice",
    "steps",
    "step s1 (number 1 of run 1) is recorded more than once",
    withLog((log) =>
      log.map((entry, index) => (index === 5 ? { ...entry, event: log[4]!.event } : entry)),
    ),
  ],
  [
    "a repeat that returned another result",
    "steps",
    'step s1 returned "r0"',
    (history) => ({
      ...history,
      effects: [
        ...history.effects,
        { kind: "returned", at: 6, taskId, step: "s1", result: '"r0"' },
      ],
    }),
  ],
  [
    "a recorded result that no work has made",
    "steps",
    "is none that its work has made",
    (history) => ({ ...history, effects: history.effects.toSpliced(1, 2) }),
  ],
  [
    "notifications out of order",
    "push",
    "got event 1 for the first time after event 4",
    (history) => ({ ...history, arrivals: history.arrivals.toSpliced(0, 1) }),
  ],
  [
    "a notification that is neither sent nor given up",
    "push",
    "event 10 neither arrived",
    withEnd({ outbox: { waiting: 0, buried: [] } }),
  ],
  [
    "a count that is wrong",
    "counters",
    "counts 2 tasks of agent Chaos (subject any, state any); it has 1",
    withEnd({ counts: [{ agent, tasks: 2 }] }),
  ],
  [
    "a key that leads to two tasks",
    "counters",
    "the key k1 leads to t1 and t2",
    addCall({
      operation: "send",
      outcome: "answered",
      begunAt: 98,
      endedAt: 99,
      taskId: "t2",
      key: "k1",
    }),
  ],
  [
    "a working task that nobody works on",
    "quiet",
    "is TASK_STATE_WORKING under n1",
    withTask((task) => ({
      ...task,
      record: { ...task.record, state: "TASK_STATE_WORKING", node: "n1" },
    })),
  ],
  [
    "a working task that its node has forgotten",
    "quiet",
    "under n2, which does not work on it",
    (history) => {
      const [task] = history.end.tasks;
      const record = { ...task!.record, state: "TASK_STATE_WORKING", node: "n2" } as const;
      const tasks = [{ ...task!, record }];
      return { ...history, end: { ...history.end, areRunsOver: true, tasks } };
    },
  ],
  [
    "a notification that nobody sends",
    "quiet",
    "has been due for 500 ms",
    withEnd({ outbox: { ...sampleHistory.end.outbox, overdueMs: 500 } }),
  ],
  [
    "a call that never comes back",
    "quiet",
    "a cancel that began at 98 has no answer",
    addCall({ operation: "cancel", begunAt: 98, taskId }),
  ],
  [
    "a watcher whose stream never begins",
    "quiet",
    "is open and has shown nothing",
    (history) => ({
      ...history,
      streams: [...history.streams, { name: "late", taskId, outcome: "open", events: [] }],
    }),
  ],
  [
    "a watcher that nobody wakes",
    "quiet",
    "stands at event 8; the log is at 10",
    (history) => ({
      ...history,
      streams: history.streams.map((stream) => ({
        ...stream,
        outcome: "open",
        events: stream.events.slice(0, -1),
      })),
    }),
  ],
];

describe("a history", () => {
  it("in which all is well has no violations", () => {
    expect(checkHistory(sampleHistory)).toEqual([]);
  });

  it("may have a task that the store has deleted, whose key and notifications are gone with it", () => {
    const { end } = sampleHistory;
    const deleted: History = {
      ...sampleHistory,
      calls: [
        ...sampleHistory.calls,
        { operation: "send", outcome: "answered", begunAt: 98, endedAt: 99, key: "k1" },
      ],
      end: {
        ...end,
        tasks: end.tasks.map((task) => ({ ...task, isDeleted: true })),
        outbox: { waiting: 0, buried: [] },
        counts: [{ agent, tasks: 0 }],
      },
    };
    expect(checkHistory(deleted)).toEqual([]);
  });

  it("says nothing of rest when its end came too soon", () => {
    const early: History = {
      ...sampleHistory,
      calls: [...sampleHistory.calls, { operation: "cancel", begunAt: 98, taskId }],
      faults: [{ name: "kill-9", begunAt: 990, endedAt: 990 }],
    };
    expect(checkHistory(early)).toEqual([]);
  });

  it.each(broken)("with %s violates %s: %s", (_, invariant, message, change) => {
    const found = checkHistory(change(sampleHistory));
    expect(found.filter((it) => it.invariant === invariant).map((it) => it.message)).toContainEqual(
      expect.stringContaining(message),
    );
  });

  it("is shortened to what a violation needs", () => {
    const lost: HistoryCall = {
      operation: "send",
      outcome: "answered",
      begunAt: 98,
      endedAt: 99,
      taskId,
      messageId: "m9",
    };
    const wrong = addCall(lost)(sampleHistory);
    const [violation] = checkHistory(wrong);
    const short = shortenHistory(wrong, violation!);
    expect(short.calls).toEqual([lost]);
    expect([...short.streams, ...short.effects, ...short.arrivals]).toEqual([]);
  });
});
