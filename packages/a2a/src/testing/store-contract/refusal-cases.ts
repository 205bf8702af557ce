import type { ErrorCode } from "../../protocol/internal.js";
import type { Append, LogEvent, Store } from "../../store/internal.js";
import { assert, assertEqual, assertRefused, outcomeOf } from "../assert.js";
import { assertConflict } from "./assert-conflict.js";
import { pushConfig } from "./queue-samples.js";
import {
  appendNext,
  changeState,
  chunk,
  createTask,
  creation,
  messageAdded,
  statusChanged,
  terminalStates,
} from "./samples.js";
import { snapshot } from "./snapshot.js";
import type { StoreStatements } from "./store-bench.js";

/** Everything that an append can write. If a refused append had any effect, a snapshot would show it. */
const everything: Partial<Append> = {
  events: [chunk("refused"), messageAdded("refused-message")],
  status: { state: "TASK_STATE_INPUT_REQUIRED", at: 9000 },
  node: "refused-node",
  checkpoint: { id: "refused", status: { state: "TASK_STATE_WORKING" } },
  messageIds: ["refused-message"],
  idempotency: { key: "refused-key", requestHash: "hash", expiresAt: 99_999 },
  pushConfig: pushConfig("t1", "refused-config"),
  notifyAt: 1000,
};

const names = {
  tasks: ["t1", "t2", "unknown"],
  messages: ["refused-message"],
  keys: ["refused-key", "taken"],
};

async function assertNoEffect(
  store: Store,
  append: Append,
  code: ErrorCode,
  what: string,
): Promise<void> {
  const before = await snapshot(store, names);
  if (code === "CONCURRENT_MODIFICATION") await assertConflict(store, append, what);
  else await assertRefused(store.append(append), code, what);
  assertEqual(await snapshot(store, names), before, `what can be seen after ${what}`);
}

export const refusalCases: StoreStatements = {
  "an append at another sequence is refused and leaves nothing behind": async ({ store }) => {
    await createTask(store, "t1");
    await appendNext(store, "t1");
    for (const expectedSequence of [0, 1, 3, 100]) {
      const append = { taskId: "t1", epoch: 1, events: [], ...everything, expectedSequence };
      const what = `an append at ${expectedSequence} of 2`;
      await assertNoEffect(store, append, "CONCURRENT_MODIFICATION", what);
    }
  },

  "an append under another epoch is refused and leaves nothing behind": async ({ store }) => {
    await createTask(store, "t1", {}, { epoch: 5 });
    for (const epoch of [0, 4, 6]) {
      const append = { taskId: "t1", expectedSequence: 1, events: [], ...everything, epoch };
      const what = `an append under epoch ${epoch}, not 5`;
      await assertNoEffect(store, append, "CONCURRENT_MODIFICATION", what);
    }
  },

  "an append to an unknown task is refused and leaves nothing behind": async ({ store }) => {
    await createTask(store, "t1");
    for (const expectedSequence of [0, 1]) {
      const append = { taskId: "unknown", epoch: 1, events: [], ...everything, expectedSequence };
      await assertNoEffect(store, append, "CONCURRENT_MODIFICATION", "an append to no task");
    }
  },

  "a new task that exists already is refused and leaves nothing behind": async ({ store }) => {
    await createTask(store, "t1");
    await createTask(store, "t2", { state: "TASK_STATE_COMPLETED" });
    for (const taskId of ["t1", "t2"]) {
      const append = creation(taskId, {}, everything);
      await assertNoEffect(store, append, "CONCURRENT_MODIFICATION", "a second creation");
    }
  },

  "a new task at a sequence other than 0 is refused": async ({ store }) => {
    const append = creation("unknown", {}, { ...everything, expectedSequence: 1 });
    await assertNoEffect(store, append, "CONCURRENT_MODIFICATION", "a creation at sequence 1");
  },

  "a new task without a status is rejected and leaves nothing behind": async ({ store }) => {
    const { status: _, ...append } = creation("unknown", {}, everything);
    const before = await snapshot(store, names);
    const outcome = await outcomeOf(store.append(append));
    assert(outcome !== "ok", "a creation without a status is accepted");
    assertEqual(await snapshot(store, names), before, "what can be seen afterwards");
  },

  "an append with a key that is taken is refused and leaves nothing behind": async ({ store }) => {
    const idempotency = { key: "taken", requestHash: "hash", expiresAt: 99_999 };
    await createTask(store, "t1", {}, { idempotency });
    await createTask(store, "t2");
    const next = { taskId: "t2", expectedSequence: 1, epoch: 1, events: [] };
    for (const append of [creation("unknown", {}, everything), { ...next, ...everything }]) {
      for (const requestHash of ["hash", "another"]) {
        const claim = { ...idempotency, requestHash };
        const refused = { ...append, idempotency: claim };
        await assertNoEffect(store, refused, "CONCURRENT_MODIFICATION", "an append with that key");
      }
    }
  },

  "nothing is added to a task that has ended": async ({ store }) => {
    const kinds: (readonly LogEvent[])[] = [
      [chunk()],
      [messageAdded("m1")],
      [statusChanged("TASK_STATE_WORKING")],
      [{ kind: "cancel-requested" }],
      [{ kind: "step-recorded", position: 0, name: "search", result: null }],
      [],
    ];
    for (const state of terminalStates) {
      await createTask(store, state);
      await changeState(store, state, state, 2000);
      const tasks = [state];
      const before = await snapshot(store, { ...names, tasks });
      for (const events of kinds) {
        const next = { taskId: state, expectedSequence: 2, epoch: 1 };
        const what = `${events[0]?.kind ?? "an empty append"} after ${state}`;
        for (const append of [
          { ...next, events },
          { ...next, ...everything, events },
        ]) {
          await assertRefused(store.append(append), "UNSUPPORTED_OPERATION", what);
        }
      }
      assertEqual(await snapshot(store, { ...names, tasks }), before, "what can be seen of it");
    }
  },

  "a writer that is behind is told so, also when the task has ended": async ({ store }) => {
    await createTask(store, "t1");
    await changeState(store, "t1", "TASK_STATE_CANCELED", 2000);
    for (const [expectedSequence, epoch] of [
      [1, 1],
      [2, 0],
      [9, 9],
    ] as const) {
      const append = { taskId: "t1", ...everything, events: [chunk()], expectedSequence, epoch };
      await assertNoEffect(store, append, "CONCURRENT_MODIFICATION", "a late append");
    }
  },

  "a task can begin ended, and is closed from then on": async ({ store }) => {
    await createTask(store, "t1", { state: "TASK_STATE_REJECTED" });
    const append = { taskId: "t1", expectedSequence: 1, epoch: 1, events: [chunk()] };
    await assertNoEffect(store, append, "UNSUPPORTED_OPERATION", "an append to it");
  },
};
