import { foldTask, TaskFold } from "../../protocol/internal.js";
import type { TaskEvent } from "../../protocol/internal.js";
import type { LogEvent, StoredTask } from "../../store/internal.js";
import { assert, assertEqual } from "../assert.js";
import {
  ada,
  all,
  appendNext,
  bob,
  chunk,
  createTask,
  creation,
  entries,
  messageAdded,
  range,
  statusChanged,
  scopeOf,
  withoutTimes,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

const journal = new Set([
  "run-started",
  "step-recorded",
  "question-asked",
  "message-taken",
  "cancel-requested",
]);

function isTaskEvent(event: LogEvent): event is TaskEvent {
  return !journal.has(event.kind);
}

/** The task as a reader sees it: the fold of the checkpoint and the entries after it. */
function foldStored({ checkpoint, tail }: StoredTask): unknown {
  const events = tail.map(({ event }) => event).filter(isTaskEvent);
  if (checkpoint === undefined) return foldTask(events);
  const fold = new TaskFold(checkpoint.task);
  for (const event of events) fold.apply(event);
  return fold.task();
}

export const readCases: StoreStatements = {
  "a log is read from any place to any other, whatever was appended together": async ({
    store,
  }) => {
    // The long chunk is longer than one row of a store that packs several events into a row.
    const texts = ["a", "b", "x".repeat(40_000), "c", ...range(70).map(String), "y", "z"];
    const events = [...creation("t1").events, ...texts.map((text) => chunk(text))];
    await createTask(store, "t1", {}, { events: events.slice(0, 2) });
    let written = 2;
    for (const count of [3, 1, 60, 1, events.length]) {
      await appendNext(store, "t1", { events: events.slice(written, written + count) });
      written += count;
    }
    const log = entries(1, events);
    for (const after of range(events.length + 2)) {
      for (const limit of [1, 2, 7, 64, all]) {
        const page = withoutTimes(await store.read("t1", after, limit));
        assertEqual(page, log.slice(after, after + limit), `${limit} entries after ${after}`);
      }
    }
  },

  "the entries after a sequence are read in order, up to the limit": async ({ store }) => {
    const chunks = range(9).map((number) => chunk(`${number}`));
    const events = [...creation("t1").events, ...chunks];
    await createTask(store, "t1", {}, { events: events.slice(0, 4) });
    await appendNext(store, "t1", { events: events.slice(4) });
    for (const after of [0, 1, 3, 4, 9]) {
      for (const limit of [1, 2, 5, 10, all]) {
        const expected = entries(1, events).slice(after, after + limit);
        const page = withoutTimes(await store.read("t1", after, limit));
        assertEqual(page, expected, `at most ${limit} after ${after}`);
      }
    }
  },

  "nothing is read at the end of a log, beyond it, or of an unknown task": async ({ store }) => {
    await createTask(store, "t1");
    assertEqual(await store.read("t1", 1, all), [], "the entries after the last");
    assertEqual(await store.read("t1", 100, all), [], "the entries beyond the end");
    assertEqual(await store.read("unknown", 0, all), [], "the entries of an unknown task");
  },

  "an unknown task is loaded as nothing": async ({ store }) => {
    assertEqual(await store.load("unknown"), undefined, "the task");
    assertEqual(await store.loadRecord("unknown"), undefined, "the record");
  },

  "a task without a checkpoint is loaded with its whole log": async ({ store }) => {
    await createTask(store, "t1");
    await appendNext(store, "t1");
    const stored = await store.load("t1");
    assertEqual(stored?.record, await store.loadRecord("t1"), "the record");
    assertEqual(stored?.checkpoint, undefined, "the checkpoint");
    assertEqual(stored?.tail, await store.read("t1", 0, all), "the tail");
  },

  "a task is loaded with its last checkpoint and what follows it": async ({ store }) => {
    const task = { id: "t1", status: { state: "TASK_STATE_WORKING" } } as const;
    const later = { ...task, metadata: { later: true } };
    await createTask(store, "t1");
    await appendNext(store, "t1", { checkpoint: task });
    await appendNext(store, "t1", { events: [chunk("a"), chunk("b")] });
    const first = await store.load("t1");
    assertEqual(first?.checkpoint, { sequence: 2, task }, "the first checkpoint");
    const tail = entries(3, [chunk("a"), chunk("b")]);
    assertEqual(withoutTimes(first?.tail), tail, "the tail of the first");
    await appendNext(store, "t1", { events: [chunk("c"), chunk("d")], checkpoint: later });
    const second = await store.load("t1");
    assertEqual(second?.checkpoint, { sequence: 6, task: later }, "the second checkpoint");
    assertEqual(second?.tail, [], "the tail of the second");
  },

  "a checkpoint and its tail fold to the same task as the whole log": async ({ store }) => {
    const steps: (readonly LogEvent[])[] = [
      [
        messageAdded("m1"),
        { kind: "run-started", run: 1, messageId: "m1", call: { tenant: "acme" } },
      ],
      [chunk("a"), chunk("b")],
      [{ kind: "step-recorded", position: 0, name: "search", result: { found: [1, null] } }],
      [statusChanged("TASK_STATE_INPUT_REQUIRED"), { kind: "question-asked", position: 1 }],
      [messageAdded("m2"), statusChanged("TASK_STATE_WORKING")],
      [chunk("c")],
    ];
    const { events } = creation("t1");
    const log = [...events];
    await createTask(store, "t1");
    for (const [number, step] of steps.entries()) {
      log.push(...step);
      const task = foldTask(log.filter(isTaskEvent));
      const checkpoint = number % 2 === 1 ? { checkpoint: task } : {};
      await appendNext(store, "t1", { events: step, ...checkpoint });
      const stored = await store.load("t1");
      assert(stored !== undefined, "the task is gone");
      assertEqual(foldStored(stored), task, `the task after step ${number}`);
      const whole = (await store.read("t1", 0, all)).map(({ event }) => event);
      assertEqual(whole, log, `the whole log after step ${number}`);
    }
  },

  "what a limit of bytes cuts off is read from where it ends": async ({ store }) => {
    const text = "x".repeat(10_000);
    await createTask(store, "t1");
    for (const number of range(20)) {
      await appendNext(store, "t1", { events: [chunk(`${number} ${text}`)] });
    }
    const whole = await store.read("t1", 0, all);
    assertEqual(whole.length, 21, "the length of the log");
    for (const maxBytes of [1, 25_000, 1_000_000]) {
      const stored = await store.load("t1", maxBytes);
      const found = [...(stored?.tail ?? [])];
      assertEqual(
        stored?.record.sequence,
        21,
        `the last entry, whatever ${maxBytes} bytes cut off`,
      );
      for (;;) {
        const page = await store.read("t1", found.length, all, maxBytes);
        if (page.length === 0) break;
        found.push(...page);
      }
      assertEqual(found, whole, `the log by pages of ${maxBytes} bytes`);
    }
  },

  "a task is found by the ids of its messages": async ({ store }) => {
    await createTask(store, "t1", {}, { messageIds: ["m1", "m2"] });
    await createTask(store, "t2", {}, { messageIds: ["m3"] });
    await appendNext(store, "t1", { messageIds: ["m4"] });
    const found = [];
    for (const id of ["m1", "m2", "m3", "m4", "m5"]) {
      found.push((await store.findByMessageId(scopeOf(ada), id)) ?? null);
    }
    assertEqual(found, ["t1", "t1", "t2", "t1", null], "the tasks of the messages");
  },

  "a message id leads to the task that had it first": async ({ store }) => {
    await createTask(store, "t2", {}, { messageIds: ["m1"] });
    await createTask(store, "t1", {}, { messageIds: ["m1"] });
    assertEqual(await store.findByMessageId(scopeOf(ada), "m1"), "t2", "the task of the message");
    await appendNext(store, "t1", { messageIds: ["m1", "m2"] });
    assertEqual(
      await store.findByMessageId(scopeOf(ada), "m1"),
      "t2",
      "its task after one more append",
    );
    assertEqual(
      await store.findByMessageId(scopeOf(ada), "m2"),
      "t1",
      "the task of the message beside it",
    );
  },

  "a message is found by its owner alone": async ({ store }) => {
    await createTask(store, "t1", { owner: ada }, { messageIds: ["m1", "m2"] });
    await createTask(store, "t2", { owner: bob }, { messageIds: ["m1"] });
    assertEqual(await store.findByMessageId(scopeOf(ada), "m1"), "t1", "what one owner finds");
    assertEqual(await store.findByMessageId(scopeOf(bob), "m1"), "t2", "what the other finds");
    assertEqual(await store.findByMessageId(scopeOf(bob), "m2"), undefined, "another's message");
    const elsewhere = { tenant: "other", subject: ada.subject };
    assertEqual(
      await store.findByMessageId(scopeOf(elsewhere), "m1"),
      undefined,
      "in another tenant",
    );
  },

  "a message is found among its agent's tasks alone": async ({ store }) => {
    await createTask(store, "t1", {}, { messageIds: ["m1", "m2"] });
    await createTask(store, "t2", { agent: "weather" }, { messageIds: ["m1"] });
    const elsewhere = scopeOf(ada, "weather");
    assertEqual(await store.findByMessageId(scopeOf(ada), "m1"), "t1", "what one agent finds");
    assertEqual(await store.findByMessageId(elsewhere, "m1"), "t2", "what the other finds");
    assertEqual(await store.findByMessageId(elsewhere, "m2"), undefined, "another's message");
  },
};
