import type { LogEvent, Owner } from "../../store/internal.js";
import { assert, assertEqual } from "../assert.js";
import { claimQueues, pushConfig } from "./queue-samples.js";
import {
  agent,
  all,
  appendNext,
  chunk,
  createTask,
  creation,
  entries,
  leaseMs,
  recordOf,
  strangeIds,
  scopeOf,
  withoutTimes,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

const richEvents: readonly LogEvent[] = [
  { kind: "run-started", run: 1, messageId: "m1", call: { tenant: "acme" } },
  {
    kind: "message-added",
    message: {
      messageId: "m1",
      role: "ROLE_USER",
      taskId: "t1",
      contextId: "context-1",
      referenceTaskIds: ["t0"],
      extensions: ["https://example.com/extension"],
      parts: [
        { text: "e\u0301 🧳 \u0000 \u2028 \" ' \\ \n", mediaType: "text/plain" },
        { raw: "AAEC/w==", filename: "four bytes.bin", mediaType: "application/octet-stream" },
        { url: "https://example.com/a?b=c#d" },
        { data: null },
        { data: { nested: [1, -0.5, 1e21, true, null, "", {}, []], "": "an empty name" } },
      ],
      metadata: { __proto: 1, "with space": [null] },
    },
  },
  { kind: "step-recorded", nth: 1, name: "search", result: { found: [1, null, "x"] } },
  { kind: "step-recorded", nth: 2, name: "nothing", result: null },
  { kind: "step-recorded", nth: 3, name: "no result" },
  { kind: "step-recorded", position: 1, name: "of an earlier version", result: 1 },
  {
    kind: "artifact-updated",
    artifact: { artifactId: "a1", name: "itinerary.json", parts: [{ data: [] }] },
    append: true,
    lastChunk: false,
    metadata: {},
  },
  { kind: "question-asked", nth: 1 },
  { kind: "question-asked", nth: 1, name: "where" },
  { kind: "question-closed" },
  { kind: "run-resumed", run: 1, attempt: 2, revision: "1.0.0" },
  { kind: "stream-recorded", name: "draft", nth: 1, artifact: "answer", from: 0, to: 12 },
  {
    kind: "status-changed",
    status: {
      state: "TASK_STATE_INPUT_REQUIRED",
      timestamp: "2026-01-02T03:04:05.678Z",
      message: { messageId: "m2", role: "ROLE_AGENT", parts: [{ text: "Where to?" }] },
    },
  },
  { kind: "message-taken", nth: 1, messageId: "m3" },
  { kind: "cancel-requested" },
];

/** Changes a result, which no caller should do. A store may freeze its results instead. */
function spoil(change: () => unknown): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

export const valueCases: StoreStatements = {
  "every kind of event comes back as it was appended": async ({ store }) => {
    await createTask(store, "t1");
    await appendNext(store, "t1", { events: richEvents });
    const [read, stored] = [await store.read("t1", 1, all), await store.load("t1")];
    assertEqual(withoutTimes(read), entries(2, richEvents), "the events read");
    assertEqual(withoutTimes(stored?.tail.slice(1)), entries(2, richEvents), "those loaded");
  },

  "a checkpoint comes back as it was appended": async ({ store }) => {
    const task = {
      id: "t1",
      contextId: "context-1",
      status: { state: "TASK_STATE_WORKING" },
      history: richEvents.flatMap((event) =>
        event.kind === "message-added" ? [event.message] : [],
      ),
      artifacts: [{ artifactId: "a1", parts: [{ text: "\u0000" }, { data: null }] }],
      metadata: { zero: 0, nothing: null },
    } as const;
    await createTask(store, "t1", {}, { checkpoint: task });
    assertEqual((await store.load("t1"))?.checkpoint, { sequence: 1, task }, "the checkpoint");
  },

  "an event of a mebibyte comes back whole": async ({ store }) => {
    const text = "0123456789abcdeé".repeat(65_536);
    await createTask(store, "t1");
    await appendNext(store, "t1", { events: [chunk(text), chunk("after")] });
    const [big, after] = await store.read("t1", 1, all);
    assert(big?.event.kind === "artifact-updated", "the big event is not there");
    assert(big.event.artifact.parts[0]?.text === text, "the big event's text is another");
    assertEqual(after?.event, chunk("after"), "the event after the big one");
  },

  "a thousand events can be appended at once": async ({ store }) => {
    const events = Array.from({ length: 1000 }, (_, index) => chunk(`${index}`));
    await createTask(store, "t1");
    await appendNext(store, "t1", { events });
    assertEqual(withoutTimes(await store.read("t1", 1, all)), entries(2, events), "the events");
  },

  "times and epochs are kept exactly, however large": async ({ store }) => {
    const at = 8_640_000_000_000_000;
    const epoch = 2 ** 40;
    await createTask(store, "t1", { at }, { epoch });
    const record = await recordOf(store, "t1");
    assertEqual([record.statusAt, record.epoch], [at, epoch], "moment and epoch");
    assertEqual(await store.claim({ taskId: "t1", node: "n1", epoch }), epoch + 1, "the next one");
    const claimed = await store.claimAbandoned(agent, "n2", all);
    assertEqual(claimed, [{ taskId: "t1", epoch: epoch + 2, sequence: 1 }], "the one after that");
    const { tasks } = await store.list({ agent, statusSince: at, limit: all });
    assertEqual(tasks.length, 1, "the number of tasks since that moment");
  },

  "ids of any characters are told apart and come back unchanged": async ({ store }) => {
    for (const id of strangeIds) {
      const owner = { tenant: id, subject: id };
      await createTask(
        store,
        id,
        { owner, agent: id, contextId: id },
        {
          node: id,
          messageIds: [id],
          idempotency: { key: id, requestHash: id, expiresAt: 9000 },
          pushConfig: pushConfig(id, id, { host: id, dialect: id }),
          notifyAt: 1000,
        },
      );
    }
    for (const id of strangeIds) {
      const owner = { tenant: id, subject: id };
      const record = await recordOf(store, id);
      const { taskId, contextId, node } = record;
      assertEqual([taskId, contextId, node], [id, id, id], "task, context and node");
      assertEqual([record.owner, record.agent], [owner, id], "owner and agent");
      assertEqual((await store.read(id, 0, all)).length, 1, `the number of entries of ${id}`);
      assertEqual(
        await store.findByMessageId(scopeOf(owner, id), id),
        id,
        "the task of the message",
      );
      const result = await store.loadIdempotentResult(scopeOf(owner, id), id, 1000);
      assertEqual(result, { requestHash: id, taskId: id }, "the result of the key");
      const { tasks, totalSize } = await store.list({
        owner,
        agent: id,
        contextId: id,
        limit: all,
      });
      assertEqual([tasks.length, totalSize], [1, 1], `the number of tasks listed for ${id}`);
      const taken = await store.claimAbandoned(id, `${id} 2`, all);
      assertEqual(taken, [{ taskId: id, epoch: 2, sequence: 1 }], "the abandoned tasks");
      await store.renewNode(id, leaseMs, { agent: id, revision: id, version: id, address: id });
      assertEqual(await store.isLive(id), true, "whether its node is alive");
      const nodes = await store.listNodes();
      const {
        slot: _,
        leaseLeftMs: __,
        ...known
      } = nodes.find(({ node: its }) => its === id) ?? {};
      const info = { agent: id, revision: id, version: id, address: id };
      assertEqual(known, { node: id, ...info, isDraining: false }, "its node");
      const configs = await store.listPushConfigs(id, undefined, all);
      assertEqual(
        configs.map(({ configId }) => configId),
        [id],
        "the configurations",
      );
      const hosts = new Map(strangeIds.map((host) => [host, host === id ? 0 : 1]));
      const claim = { agent: id, now: 1000, until: 2000, perHost: 1, taken: hosts };
      const [claimed] = await claimQueues(store, claim);
      assertEqual([claimed?.configId, claimed?.host], [id, id], "the queue that is due");
    }
  },

  "tenant and subject do not run into each other": async ({ store }) => {
    const separators = [":", "/", "|", ",", ".", " ", "\\", '","'];
    const owners: Owner[] = [
      ...separators.flatMap((mark) => [
        { tenant: `a${mark}b`, subject: "c" },
        { tenant: "a", subject: `b${mark}c` },
      ]),
      { tenant: "", subject: "abc" },
      { tenant: "abc", subject: "" },
    ];
    for (const [index, owner] of owners.entries()) {
      const idempotency = { key: "k1", requestHash: "hash", expiresAt: 9000 };
      await createTask(store, `t${index}`, { owner }, { messageIds: ["m1"], idempotency });
    }
    for (const [index, owner] of owners.entries()) {
      const { tasks, totalSize } = await store.list({ owner, agent, limit: all });
      const listed = tasks.map(({ record }) => record.taskId);
      assertEqual([listed, totalSize], [[`t${index}`], 1], "the tasks of one owner");
      assertEqual(await store.findByMessageId(scopeOf(owner), "m1"), `t${index}`, "of its message");
      const result = await store.loadIdempotentResult(scopeOf(owner), "k1", 1000);
      assertEqual(result?.taskId, `t${index}`, "the task of its key");
    }
  },

  "what callers do to arrays and records does not reach the store": async ({ store }) => {
    const events = [...creation("t1").events];
    const messageIds = ["m1"];
    const owner = { tenant: "acme", subject: "eve" };
    await createTask(store, "t1", { owner }, { events, messageIds });
    events.push(chunk());
    messageIds.push("m2");
    owner.subject = "mallory";
    assertEqual((await recordOf(store, "t1")).owner, { ...owner, subject: "eve" }, "the owner");
    const before = [await store.load("t1"), await store.read("t1", 0, all)].map((value) =>
      structuredClone(value),
    );

    const [stored, log] = [await store.load("t1"), await store.read("t1", 0, all)];
    const { tasks } = await store.list({ agent, limit: all });
    assert(stored !== undefined, "the task is gone");
    spoil(() => Object.assign(stored.record, { sequence: 99, state: "TASK_STATE_FAILED" }));
    spoil(() => Object.assign(stored.record.owner, { subject: "mallory" }));
    spoil(() => (stored.tail as unknown[]).pop());
    spoil(() => (log as unknown[]).reverse().pop());
    spoil(() => (tasks as unknown[]).pop());
    const after = [await store.load("t1"), await store.read("t1", 0, all)];
    assertEqual(after, before, "what is stored");
    assertEqual((await store.list({ agent, limit: all })).tasks.length, 1, "the tasks listed");
    await appendNext(store, "t1");
    assertEqual((await recordOf(store, "t1")).sequence, 2, "the sequence of the next append");
  },
};
