import { A2AError } from "../../protocol/internal.js";
import type { Appended, StoreConflict } from "../../store/internal.js";
import { assert, assertEqual, countOutcomes } from "../assert.js";
import { claimQueues, createQueue, pushConfig } from "./queue-samples.js";
import {
  appendNext,
  agent,
  ada,
  all,
  chunk,
  createTask,
  creation,
  messageAdded,
  range,
  recordOf,
  statusChanged,
  scopeOf,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

export const concurrencyCases: StoreStatements = {
  "of a hundred appends at the same sequence one wins": async ({ store, another }) => {
    const nodes = [store, await another()];
    await createTask(store, "t1");
    const counts = await countOutcomes(
      range(100).map((number) =>
        (nodes[number % 2] ?? store).append({
          taskId: "t1",
          expectedSequence: 1,
          epoch: 1,
          events: [chunk(`${number}`), chunk(`${number}`)],
        }),
      ),
    );
    assertEqual(counts, { ok: 1, CONCURRENT_MODIFICATION: 99 }, "the outcomes");
    const log = await store.read("t1", 1, all);
    assertEqual(
      log.map(({ sequence }) => sequence),
      [2, 3],
      "the sequences of what was appended",
    );
    assertEqual(log[0]?.event, log[1]?.event, "the two events of the winner");
  },

  "of a hundred creations of one task one wins": async ({ store, another }) => {
    const nodes = [store, await another()];
    const counts = await countOutcomes(
      range(100).map((number) =>
        (nodes[number % 2] ?? store).append(creation("t1", { contextId: `context-${number}` })),
      ),
    );
    assertEqual(counts, { ok: 1, CONCURRENT_MODIFICATION: 99 }, "the outcomes");
    const { contextId } = await recordOf(store, "t1");
    const [entry] = await store.read("t1", 0, all);
    assert(
      entry?.event.kind === "task-created" && entry.event.contextId === contextId,
      "record and log come from different creations",
    );
  },

  "of fifty endings of one task the first wins": async ({ store, another }) => {
    const nodes = [store, await another()];
    await createTask(store, "t1");
    const counts = await countOutcomes(
      range(50).map((number) => {
        const state = number % 2 === 0 ? "TASK_STATE_COMPLETED" : "TASK_STATE_CANCELED";
        return (nodes[number % 2] ?? store).append({
          taskId: "t1",
          expectedSequence: 1,
          epoch: 1,
          events: [statusChanged(state)],
          status: { state, at: 2000 },
        });
      }),
    );
    assertEqual(counts, { ok: 1, CONCURRENT_MODIFICATION: 49 }, "the outcomes");
    const [entry] = await store.read("t1", 1, all);
    const { state } = await recordOf(store, "t1");
    assertEqual(entry?.event, statusChanged(state), "the last event");
  },

  "appends at the end never meet, and lose nothing, while a holder streams": async ({
    store,
    another,
  }) => {
    const nodes = [store, await another()];
    await createTask(store, "t1", {}, { node: "holder" });
    const told: string[] = ["task-created"];
    const tell = async (text: string, append: () => Promise<Appended>): Promise<void> => {
      const { sequence } = await append();
      assertEqual(told[sequence - 1], undefined, `what else is at ${sequence}`);
      told[sequence - 1] = text;
    };
    let known = 1;
    const hold = async (number: number): Promise<Appended> => {
      for (;;) {
        const next = { taskId: "t1", expectedSequence: known, epoch: 1 };
        try {
          const appended = await store.append({ ...next, events: [chunk(`held ${number}`)] });
          known = appended.sequence;
          return appended;
        } catch (error) {
          assert(
            A2AError.is(error) && "head" in error,
            "a refusal that does not say where to go on",
          );
          known = (error as StoreConflict).head?.sequence ?? known;
        }
      }
    };
    const stream = async (): Promise<void> => {
      for (const number of range(40)) await tell(`held ${number}`, () => hold(number));
    };
    const send = async (number: number): Promise<void> => {
      const node = nodes[number % 2] ?? store;
      const whileStates = number % 3 === 0 ? {} : { whileStates: ["TASK_STATE_WORKING"] as const };
      const append = { taskId: "t1", epoch: 0, events: [chunk(`sent ${number}`)], ...whileStates };
      await tell(`sent ${number}`, () => node.append(append));
    };
    await Promise.all([stream(), ...range(40).map(send)]);
    const log = await store.read("t1", 0, all);
    const texts = log.map(({ event }) =>
      event.kind === "artifact-updated" ? event.artifact.parts[0]?.text : event.kind,
    );
    assertEqual(texts, told, "the log, as those who wrote it were told");
    const held = texts.filter((text) => text?.startsWith("held"));
    assertEqual(
      held,
      range(40).map((number) => `held ${number}`),
      "what the holder wrote",
    );
    assertEqual(texts.length, 81, "the length of the log");
  },

  "of twenty answers at the end to one question one is taken": async ({ store, another }) => {
    const nodes = [store, await another()];
    await createTask(store, "t1", { state: "TASK_STATE_INPUT_REQUIRED" });
    const counts = await countOutcomes(
      range(20).map((number) =>
        (nodes[number % 2] ?? store).append({
          taskId: "t1",
          epoch: 1,
          whileStates: ["TASK_STATE_INPUT_REQUIRED"],
          events: [messageAdded(`m${number}`), statusChanged("TASK_STATE_WORKING")],
          status: { state: "TASK_STATE_WORKING", at: 2000 },
        }),
      ),
    );
    assertEqual(counts, { ok: 1, CONCURRENT_MODIFICATION: 19 }, "the outcomes");
    assertEqual((await recordOf(store, "t1")).sequence, 3, "the sequence");
  },

  "appends to different tasks do not disturb each other": async ({ store, another }) => {
    const nodes = [store, await another()];
    const tasks = range(50).map((number) => `t${number}`);
    await Promise.all(tasks.map((taskId) => createTask(store, taskId)));
    await Promise.all(
      tasks.map(async (taskId, number) => {
        const node = nodes[number % 2] ?? store;
        for (const expectedSequence of [1, 2, 3, 4]) {
          await node.append({ taskId, expectedSequence, epoch: 1, events: [chunk()] });
        }
      }),
    );
    for (const taskId of tasks) {
      assertEqual((await recordOf(store, taskId)).sequence, 5, `the sequence of ${taskId}`);
    }
  },

  "of fifty claims of one task one wins": async ({ store, another }) => {
    const nodes = [store, await another()];
    await createTask(store, "t1");
    const epochs = await Promise.all(
      range(50).map((number) =>
        (nodes[number % 2] ?? store).claim({ taskId: "t1", node: `n${number}`, epoch: 1 }),
      ),
    );
    const winners = range(50).filter((number) => epochs[number] !== undefined);
    assertEqual(winners.length, 1, "the number of winners");
    const { node, epoch } = await recordOf(store, "t1");
    assertEqual([node, epoch], [`n${winners[0]}`, 2], "node and epoch of the task");
  },

  "a writer and a claim at the same time leave a log without the fenced writer's": async ({
    store,
    another,
  }) => {
    const other = await another();
    for (const number of range(20)) {
      const taskId = `t${number}`;
      await createTask(store, taskId);
      const next = { taskId, expectedSequence: 1, epoch: 1, events: [chunk()] };
      const [counts, epoch] = await Promise.all([
        countOutcomes([store.append(next)]),
        other.claim({ taskId, node: "n2", epoch: 1 }),
      ]);
      assertEqual(epoch, 2, "the claimed epoch, whoever came first");
      const { sequence } = await recordOf(store, taskId);
      assertEqual(
        sequence,
        counts["ok"] === 1 ? 2 : 1,
        `the sequence after ${JSON.stringify(counts)}`,
      );
      const fenced = await countOutcomes([
        store.append({ ...next, expectedSequence: sequence }),
        other.append({ ...next, expectedSequence: sequence, epoch: 2 }),
      ]);
      assertEqual(fenced, { ok: 1, CONCURRENT_MODIFICATION: 1 }, "appends under epochs 1 and 2");
    }
  },

  "of fifty appends and replies with one key one wins": async ({ store, another }) => {
    const nodes = [store, await another()];
    const claim = { key: "k1", requestHash: "hash", expiresAt: 9000 };
    const counts = await countOutcomes(
      range(50).map((number) => {
        const node = nodes[number % 2] ?? store;
        return number % 4 < 2
          ? node.append(creation(`t${number}`, {}, { idempotency: claim }))
          : node.saveReply(scopeOf(ada), claim, { messageId: "m1", role: "ROLE_AGENT", parts: [] });
      }),
    );
    assertEqual(counts, { ok: 1, CONCURRENT_MODIFICATION: 49 }, "the outcomes");
    const result = await store.loadIdempotentResult(scopeOf(ada), "k1", 1000);
    const { tasks } = await store.list({ agent: "travel", limit: all });
    const created = tasks.map(({ record }) => record.taskId);
    assertEqual(
      created,
      result?.taskId === undefined ? [] : [result.taskId],
      "the tasks there are",
    );
  },

  "a queue is claimed by one of many nodes": async ({ store, another }) => {
    const nodes = [store, await another()];
    await Promise.all(range(20).map((number) => createQueue(store, `t${number}`)));
    const claimed = await Promise.all(
      range(20).map((number) =>
        claimQueues(nodes[number % 2] ?? store, {
          node: `n${number}`,
          now: 1000,
          until: 2000,
          limit: 3,
        }),
      ),
    );
    const ids = claimed.flat().map(({ taskId }) => taskId);
    assertEqual(
      ids.toSorted(),
      range(20)
        .map((number) => `t${number}`)
        .toSorted(),
      "those claimed",
    );
  },

  "a configuration saved on one node hears of what another appends next": async ({
    store,
    another,
  }) => {
    const other = await another();
    await createTask(store, "t1");
    await appendNext(store, "t1", { notifyAt: 1000 });
    for (const number of range(10)) {
      const [saver, writer] = number % 2 === 0 ? [store, other] : [other, store];
      const { queued } = await writer.append({
        taskId: "t1",
        expectedSequence: (await recordOf(writer, "t1")).sequence,
        epoch: 1,
        events: [chunk()],
        notifyAt: 1000,
      });
      assertEqual(queued, number, "how many hear of an event before");
      await saver.savePushConfig(pushConfig("t1", `c${number}`));
    }
    await other.deletePushConfig("t1", "c0");
    await appendNext(store, "t1", { notifyAt: 1000 });
    const { waiting } = await store.countDeliveries(agent);
    assertEqual(waiting, range(9).reduce((sum, number) => sum + number, 0) + 9, "what waits");
  },

  "what is appended to one node can be read on another at once": async ({ store, another }) => {
    const other = await another();
    await createTask(store, "t1");
    for (const expectedSequence of range(20).map((number) => number + 1)) {
      const [writer, reader] = expectedSequence % 2 === 0 ? [store, other] : [other, store];
      await writer.append({ taskId: "t1", expectedSequence, epoch: 1, events: [chunk()] });
      const { sequence } = await recordOf(reader, "t1");
      assertEqual(sequence, expectedSequence + 1, "the sequence the other node reads");
      const seen = await reader.read("t1", expectedSequence, all);
      assertEqual(seen.length, 1, "the entries the other node reads");
    }
  },

  "a load shows one moment, also while the log grows": async ({ store, another }) => {
    const other = await another();
    await createTask(store, "t1");
    let ended = false;
    const write = async (): Promise<void> => {
      for (const expectedSequence of range(100).map((number) => number + 1)) {
        const checkpoint = { id: "t1", status: { state: "TASK_STATE_WORKING" } } as const;
        await store.append({
          taskId: "t1",
          expectedSequence,
          epoch: 1,
          events: [chunk()],
          ...(expectedSequence % 10 === 0 && { checkpoint }),
        });
      }
    };
    const writing = write().finally(() => (ended = true));
    let last = 0;
    while (!ended) {
      const stored = await other.load("t1");
      assert(stored !== undefined, "the task is gone");
      const { record, checkpoint, tail } = stored;
      assert(record.sequence >= last, "a later load shows an earlier moment");
      last = record.sequence;
      const first = (checkpoint?.sequence ?? 0) + 1;
      assertEqual(
        tail.map(({ sequence }) => sequence),
        range(record.sequence - first + 1).map((index) => first + index),
        `the tail of a log at ${record.sequence} with a checkpoint at ${first - 1}`,
      );
      await new Promise((resolve) => setTimeout(resolve));
    }
    await writing;
  },
};
