import { assertEqual } from "../assert.js";
import { pushConfig } from "./queue-samples.js";
import {
  ada,
  agent,
  all,
  appendNext,
  changeState,
  chunk,
  createTask,
  creation,
  entries,
  messageAdded,
  recordOf,
  statusChanged,
  storedStates,
  terminalStates,
  scopeOf,
  withoutTimes,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

export const appendCases: StoreStatements = {
  "a task begins with its first append": async ({ store }) => {
    await createTask(store, "t1", { state: "TASK_STATE_SUBMITTED", at: 1234 }, { node: "n1" });
    assertEqual(
      await store.loadRecord("t1"),
      {
        taskId: "t1",
        owner: ada,
        agent,
        contextId: "context-1",
        createdIn: "1.0",
        state: "TASK_STATE_SUBMITTED",
        statusAt: 1234,
        sequence: 1,
        bytes: 0,
        epoch: 1,
        node: "n1",
      },
      "the record of the task",
    );
  },

  "a task may be over with its first append": async ({ store }) => {
    const events = [...creation("t1").events, chunk("all"), statusChanged("TASK_STATE_COMPLETED")];
    const task = { id: "t1", status: { state: "TASK_STATE_COMPLETED" } } as const;
    const more = { events, checkpoint: task, node: null };
    await createTask(store, "t1", { state: "TASK_STATE_COMPLETED", at: 1234 }, more);
    const { state, statusAt, sequence, node } = await recordOf(store, "t1");
    assertEqual([state, statusAt, sequence, node], [task.status.state, 1234, 3, undefined], "it");
    const stored = await store.load("t1");
    assertEqual(stored?.checkpoint, { sequence: 3, task }, "the checkpoint");
    assertEqual(stored?.tail, [], "the tail");
    assertEqual(withoutTimes(await store.read("t1", 0, all)), entries(1, events), "the log");
    const listed = await store.list({ agent, owner: ada, limit: 10 });
    assertEqual([listed.totalSize, listed.tasks[0]?.record.state], [1, state], "the list");
    assertEqual(await store.deleteEnded(2000, 10), 1, "what is deleted once it is old");
  },

  "a task starts with the epoch of its first append": async ({ store }) => {
    await createTask(store, "t1", {}, { epoch: 7 });
    assertEqual((await recordOf(store, "t1")).epoch, 7, "the epoch");
    await store.append({ taskId: "t1", expectedSequence: 1, epoch: 7, events: [chunk()] });
    assertEqual((await recordOf(store, "t1")).sequence, 2, "the sequence after writing under it");
  },

  "entries are numbered from 1 without holes": async ({ store }) => {
    const { events } = creation("t1");
    const appended = [...events, messageAdded("m1"), chunk("a"), chunk("b"), chunk("c")];
    await createTask(store, "t1", {}, { events: appended.slice(0, 2) });
    await appendNext(store, "t1", { events: appended.slice(2, 3) });
    await appendNext(store, "t1", { events: appended.slice(3) });
    assertEqual(withoutTimes(await store.read("t1", 0, all)), entries(1, appended), "the log");
    assertEqual((await recordOf(store, "t1")).sequence, 5, "the sequence");
  },

  "an append with a status says where the task stands": async ({ store }) => {
    await createTask(store, "t1", { state: "TASK_STATE_SUBMITTED", at: 1000 });
    for (const [index, state] of storedStates.entries()) {
      if (terminalStates.includes(state)) continue;
      await changeState(store, "t1", state, 2000 + index);
      const record = await recordOf(store, "t1");
      assertEqual([record.state, record.statusAt], [state, 2000 + index], "state and moment");
    }
  },

  "an append without a status leaves the state and its moment": async ({ store }) => {
    await createTask(store, "t1", { state: "TASK_STATE_WORKING", at: 1000 });
    await appendNext(store, "t1");
    const { state, statusAt } = await recordOf(store, "t1");
    assertEqual([state, statusAt], ["TASK_STATE_WORKING", 1000], "state and moment");
  },

  "a task that waits for its caller stays open": async ({ store }) => {
    for (const state of ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"] as const) {
      await createTask(store, state, { state });
      await appendNext(store, state, { events: [messageAdded("m1")] });
      assertEqual((await recordOf(store, state)).sequence, 2, `the sequence of ${state}`);
    }
  },

  "an append puts the task under a node, leaves it there, or under none": async ({ store }) => {
    await createTask(store, "t1");
    assertEqual((await recordOf(store, "t1")).node, undefined, "the node of a new task");
    await appendNext(store, "t1", { node: "n1" });
    assertEqual((await recordOf(store, "t1")).node, "n1", "the node that was named");
    await appendNext(store, "t1");
    assertEqual((await recordOf(store, "t1")).node, "n1", "the node when none is named");
    await appendNext(store, "t1", { node: "n2" });
    assertEqual((await recordOf(store, "t1")).node, "n2", "another node");
    await appendNext(store, "t1", { node: null });
    assertEqual((await recordOf(store, "t1")).node, undefined, "the node after null");
  },

  "an append without events writes the rest": async ({ store }) => {
    await createTask(store, "t1", {}, { node: "n1" });
    const task = { id: "t1", status: { state: "TASK_STATE_WORKING" } } as const;
    await appendNext(store, "t1", { events: [], node: null, checkpoint: task, messageIds: ["m1"] });
    const stored = await store.load("t1");
    assertEqual(stored?.record.sequence, 1, "the sequence");
    assertEqual(stored?.record.node, undefined, "the node");
    assertEqual(stored?.checkpoint, { sequence: 1, task }, "the checkpoint");
    assertEqual(await store.findByMessageId(scopeOf(ada), "m1"), "t1", "the task of the message");
  },

  "a task that ends keeps all that came with its last event": async ({ store }) => {
    const task = { id: "t1", status: { state: "TASK_STATE_COMPLETED" } } as const;
    await createTask(store, "t1", {}, { node: "n1" });
    await appendNext(store, "t1", {
      status: { state: "TASK_STATE_COMPLETED", at: 2000 },
      node: null,
      checkpoint: task,
      messageIds: ["m1"],
      pushConfig: pushConfig("t1"),
      notifyAt: 2000,
    });
    const stored = await store.load("t1");
    assertEqual(stored?.record.state, "TASK_STATE_COMPLETED", "the state");
    assertEqual(stored?.record.node, undefined, "the node");
    assertEqual(stored?.checkpoint, { sequence: 2, task }, "the checkpoint");
    assertEqual(await store.findByMessageId(scopeOf(ada), "m1"), "t1", "the task of the message");
    assertEqual(await store.nextDeliveryAt(agent), 2000, "when its notification is due");
  },
};
