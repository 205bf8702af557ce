import type { Append, Store } from "../../store/internal.js";
import { assertEqual, assertRefused } from "../assert.js";
import { assertConflict } from "./assert-conflict.js";
import { claimQueues, pushConfig, spellQueue } from "./queue-samples.js";
import {
  ada,
  all,
  appendAtEnd,
  appendNext,
  changeState,
  chunk,
  createTask,
  creation,
  entries,
  messageAdded,
  recordOf,
  scopeOf,
  statusChanged,
  storedStates,
  terminalStates,
  withoutTimes,
} from "./samples.js";
import { snapshot } from "./snapshot.js";
import type { StoreStatements } from "./store-bench.js";

const openStates = storedStates.filter((state) => !terminalStates.includes(state));

const idempotency = { key: "k1", requestHash: "hash", expiresAt: 99_999 };
const names = { tasks: ["t1", "unknown"], messages: ["m1"], keys: ["k1", "k2"] };

/** Everything that an append at the end can write. */
const everything: Partial<Append> = {
  events: [messageAdded("m1"), chunk("a")],
  status: { state: "TASK_STATE_WORKING", at: 9000 },
  node: "refused-node",
  messageIds: ["m1"],
  idempotency,
  pushConfig: pushConfig("t1", "c9"),
  notifyAt: 1000,
};

async function assertNoEffect(store: Store, attempt: () => Promise<void>): Promise<void> {
  const before = await snapshot(store, names);
  await attempt();
  assertEqual(await snapshot(store, names), before, "what can be seen afterwards");
}

export const atTheEndCases: StoreStatements = {
  "an append at the end follows whatever is there, whoever holds the task": async ({
    store,
    another,
  }) => {
    await createTask(store, "t1", {}, { node: "n1" });
    await store.claim({ taskId: "t1", node: "n2", epoch: 1 });
    await appendNext(store, "t1", { events: [chunk("a"), chunk("b")] });
    const events = [messageAdded("m1"), chunk("c")];
    const { at: _, ...answer } = await appendAtEnd(await another(), "t1", { events });
    assertEqual(answer, { sequence: 5, epoch: 2, queued: 0 }, "the answer");
    const log = [...creation("t1").events, chunk("a"), chunk("b"), ...events];
    assertEqual(withoutTimes(await store.read("t1", 0, all)), entries(1, log), "the log");
    const { sequence, epoch, node } = await recordOf(store, "t1");
    assertEqual([sequence, epoch, node], [5, 2, "n2"], "sequence, epoch and node");
  },

  "a writer at an exact sequence learns of an append at the end, and goes on behind it": async ({
    store,
    another,
  }) => {
    await createTask(store, "t1");
    await appendAtEnd(await another(), "t1");
    const next = { taskId: "t1", epoch: 1, events: [chunk()] };
    await assertConflict(store, { ...next, expectedSequence: 1 }, "an append at 1 of 2");
    const { sequence } = await store.append({ ...next, expectedSequence: 2 });
    assertEqual(sequence, 3, "the sequence");
  },

  "an append at the end is wanted in the states that it names, and by default in all that are open":
    async ({ store }) => {
      for (const state of openStates) {
        await createTask(store, state, { state });
        assertEqual((await appendAtEnd(store, state)).sequence, 2, `the sequence in ${state}`);
        await appendAtEnd(store, state, { whileStates: [state] });
        await appendAtEnd(store, state, { whileStates: [...terminalStates, state] });
        const others = storedStates.filter((other) => other !== state);
        const append = { taskId: state, epoch: 1, events: [chunk()] };
        for (const whileStates of [others, []]) {
          await assertConflict(store, { ...append, whileStates }, `an append not for ${state}`);
        }
        assertEqual((await recordOf(store, state)).sequence, 4, "the sequence in the end");
      }
    },

  "an append at an exact sequence is wanted in the states that it names, too": async ({
    store,
  }) => {
    await createTask(store, "t1");
    const next = { taskId: "t1", expectedSequence: 1, epoch: 1, events: [chunk()] };
    const refused = { ...next, whileStates: ["TASK_STATE_INPUT_REQUIRED"] as const };
    await assertConflict(store, refused, "an append for another state");
    await store.append({ ...next, whileStates: ["TASK_STATE_WORKING"] });
    assertEqual((await recordOf(store, "t1")).sequence, 2, "the sequence");
  },

  "an append at the end changes state and node, and what is wanted of the next follows": async ({
    store,
  }) => {
    await createTask(store, "t1", { state: "TASK_STATE_INPUT_REQUIRED" }, { node: "n1" });
    const answer: Append = {
      taskId: "t1",
      epoch: 1,
      whileStates: ["TASK_STATE_INPUT_REQUIRED"],
      events: [messageAdded("m1"), statusChanged("TASK_STATE_WORKING")],
      status: { state: "TASK_STATE_WORKING", at: 2000 },
      node: null,
    };
    await store.append(answer);
    const { state, statusAt, node } = await recordOf(store, "t1");
    assertEqual([state, statusAt, node], ["TASK_STATE_WORKING", 2000, undefined], "it");
    await assertConflict(store, answer, "a second answer");
    assertEqual((await recordOf(store, "t1")).sequence, 3, "the sequence");
  },

  "an append at the end brings along messages, a key, a configuration and notifications": async ({
    store,
  }) => {
    await createTask(store, "t1", {}, { pushConfig: pushConfig("t1") });
    await appendNext(store, "t1", { events: [chunk("a"), chunk("b")] });
    const { sequence, queued } = await appendAtEnd(store, "t1", {
      events: [messageAdded("m1"), chunk("c"), chunk("d")],
      messageIds: ["m1"],
      idempotency,
      pushConfig: pushConfig("t1", "c2"),
      notifyAt: 1000,
    });
    assertEqual([sequence, queued], [6, 4], "the sequence, and how many were queued");
    assertEqual(await store.findByMessageId(scopeOf(ada), "m1"), "t1", "the task of the message");
    const result = await store.loadIdempotentResult(scopeOf(ada), "k1", 1000);
    assertEqual(result, { requestHash: "hash", taskId: "t1" }, "the result of the key");
    const due = await claimQueues(store, { now: 1000, until: 2000 });
    assertEqual(due.map(spellQueue), ["t1 c1 5,6", "t1 c2 5,6"], "what is due");
  },

  "an append at the end without events writes the rest": async ({ store }) => {
    await createTask(store, "t1", {}, { node: "n1" });
    const { sequence } = await appendAtEnd(store, "t1", { events: [], messageIds: ["m1"] });
    assertEqual(sequence, 1, "the sequence");
    assertEqual(await store.findByMessageId(scopeOf(ada), "m1"), "t1", "the task of the message");
  },

  "nothing is added at the end of a task that has ended, whatever state is named": async ({
    store,
  }) => {
    for (const state of terminalStates) {
      await createTask(store, state);
      await changeState(store, state, state, 2000);
      await assertNoEffect(store, async () => {
        for (const whileStates of [undefined, [state], openStates]) {
          const more = { ...everything, ...(whileStates !== undefined && { whileStates }) };
          const attempt = appendAtEnd(store, state, more);
          await assertRefused(attempt, "UNSUPPORTED_OPERATION", `an append after ${state}`);
        }
      });
      assertEqual((await recordOf(store, state)).sequence, 2, "the sequence");
    }
  },

  "an append at the end of an unknown task is refused": async ({ store }) => {
    const append = { taskId: "unknown", epoch: 1, events: [], ...everything };
    await assertNoEffect(store, () => assertConflict(store, append, "an append to no task"));
    const whileStates = openStates;
    await assertConflict(store, { ...append, whileStates }, "an append to no open task");
  },

  "an append at the end that is not wanted, or whose key is taken, leaves nothing behind": async ({
    store,
  }) => {
    await createTask(store, "t1", {}, { idempotency: { ...idempotency, key: "k2" } });
    const append = { taskId: "t1", epoch: 1, events: [], ...everything };
    await assertNoEffect(store, async () => {
      const whileStates = ["TASK_STATE_SUBMITTED"] as const;
      await assertConflict(store, { ...append, whileStates }, "one for another state");
      const taken = { ...append, idempotency: { ...idempotency, key: "k2" } };
      await assertConflict(store, taken, "one with a key that is taken");
    });
  },

  "an append at the end adds no more than its limits allow": async ({ store }) => {
    const code = "RESOURCE_EXHAUSTED";
    await createTask(store, "t1", {}, { bytes: 100, pushConfig: pushConfig("t1", "c1") });
    await assertNoEffect(store, async () => {
      const full = appendAtEnd(store, "t1", { ...everything, limits: { maxBytes: 100 } });
      await assertRefused(full, code, "one of somebody who has enough");
      const config = appendAtEnd(store, "t1", { ...everything, limits: { maxPushConfigs: 1 } });
      await assertRefused(config, code, "one with a second configuration");
    });
    await appendAtEnd(store, "t1", { limits: { maxTasks: 1, maxBytes: 10_000 } });
    assertEqual((await recordOf(store, "t1")).bytes, 100, "what the task weighs");
  },
};
