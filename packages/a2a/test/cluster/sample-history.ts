import type { Task, TaskStatus } from "../../src/protocol/internal.js";
import type { LogEvent } from "../../src/store/internal.js";
import { digestTask, hashEvent } from "../../src/testing/history/digest.js";
import type { FinalEntry, FinalTask, History } from "../../src/testing/history/history.js";

const taskId = "t1";

function status(state: TaskStatus["state"]): LogEvent {
  return { kind: "status-changed", status: { state } };
}

function chunk(text: string, append: boolean): LogEvent {
  return {
    kind: "artifact-updated",
    artifact: { artifactId: "a1", parts: [{ text }] },
    append,
  };
}

function added(messageId: string): LogEvent {
  const message = { messageId, role: "ROLE_USER", parts: [{ text: messageId }] } as const;
  return { kind: "message-added", message };
}

const events: readonly LogEvent[] = [
  {
    kind: "task-created",
    taskId,
    contextId: "c1",
    status: { state: "TASK_STATE_SUBMITTED" },
  },
  added("m1"),
  { kind: "run-started", run: 1, messageId: "m1", call: {} },
  status("TASK_STATE_WORKING"),
  { kind: "step-recorded", name: "s1", nth: 1, result: "r1" },
  chunk("one ", false),
  added("m2"),
  chunk("two", true),
  { kind: "cancel-requested" },
  status("TASK_STATE_CANCELED"),
];

/** One node writes the first half, another takes over; messages and cancels come from elsewhere. */
const log: readonly FinalEntry[] = events.map((event, index): FinalEntry => {
  const isAtEnd = index === 6 || index === 8;
  const epoch = index < 5 ? 1 : 2;
  return { sequence: index + 1, event, epoch, writer: isAtEnd ? "n3" : `n${epoch}`, isAtEnd };
});

const state = "TASK_STATE_CANCELED";
const task: FinalTask = {
  record: {
    taskId,
    owner: { tenant: "", subject: "anna" },
    agent: "Chaos",
    state,
    sequence: log.length,
    epoch: 2,
  },
  log,
};

/** The task as of the creation, as of the first chunk, and in the end. */
const created = taskOf("TASK_STATE_SUBMITTED", ["m1"]);
const begun = taskOf("TASK_STATE_WORKING", ["m1"], "one ");
const ended = taskOf(state, ["m1", "m2"], "one two");

function taskOf(
  reached: TaskStatus["state"],
  messageIds: readonly string[],
  text?: string,
): string {
  const artifacts = text === undefined ? [] : [{ artifactId: "a1", parts: [{ text }] }];
  const history = messageIds.map((messageId) => ({
    messageId,
    role: "ROLE_USER" as const,
    parts: [{ text: messageId }],
  }));
  const shown: Task = { id: taskId, status: { state: reached }, history, artifacts };
  return digestTask(shown);
}

function shownStatus(reached: TaskStatus["state"]): string {
  const statusUpdate = { taskId, contextId: "c1", status: { state: reached } };
  return hashEvent({ statusUpdate });
}

function shownChunk(text: string, append: boolean): string {
  const artifact = { artifactId: "a1", parts: [{ text }] };
  return hashEvent({ artifactUpdate: { taskId, contextId: "c1", artifact, append } });
}

/** A history in which all is well: a task that was sent, watched, continued, taken over and canceled. */
export const sampleHistory: History = {
  calls: [
    {
      operation: "send",
      outcome: "answered",
      begunAt: 0,
      endedAt: 10,
      taskId,
      messageId: "m1",
      key: "k1",
      digest: created,
    },
    { operation: "send", outcome: "unknown", begunAt: 11, endedAt: 20, messageId: "m0" },
    { operation: "get", outcome: "answered", begunAt: 30, endedAt: 40, taskId, digest: begun },
    {
      operation: "configure",
      outcome: "answered",
      begunAt: 0,
      endedAt: 10,
      taskId,
      configId: "w1",
    },
    {
      operation: "send",
      outcome: "answered",
      begunAt: 50,
      endedAt: 60,
      taskId,
      messageId: "m2",
    },
    { operation: "cancel", outcome: "answered", begunAt: 70, endedAt: 80, taskId },
    { operation: "get", outcome: "answered", begunAt: 90, endedAt: 95, taskId, digest: ended },
    { operation: "send", outcome: "refused", begunAt: 96, endedAt: 97, taskId, messageId: "m3" },
  ],
  streams: [
    {
      name: "w1",
      taskId,
      outcome: "ended",
      events: [
        { at: 1, id: 2, isTask: true, hash: created },
        { at: 2, id: 4, hash: shownStatus("TASK_STATE_WORKING") },
        { at: 3, id: 6, hash: shownChunk("one ", false) },
        { at: 4, id: 8, hash: shownChunk("two", true) },
        { at: 5, id: 10, hash: shownStatus(state) },
      ],
    },
  ],
  effects: [
    { kind: "done", at: 3, taskId, step: "s1", result: '"r0"' },
    { kind: "done", at: 4, taskId, step: "s1", result: '"r1"' },
    { kind: "returned", at: 5, taskId, step: "s1", result: '"r1"' },
  ],
  arrivals: [
    { at: 5, taskId, configId: "w1", sequence: 1 },
    { at: 6, taskId, configId: "w1", sequence: 4 },
    { at: 7, taskId, configId: "w1", sequence: 1 },
  ],
  faults: [{ name: "kill-9", begunAt: 40, endedAt: 40, node: "n1" }],
  end: {
    readAt: 1_000,
    leaseMs: 100,
    tasks: [task],
    liveNodes: ["n2", "n3"],
    configs: [{ taskId, configId: "w1", detail: "status", since: 0 }],
    outbox: { waiting: 0, buried: [{ taskId, configId: "w1", sequence: 10 }] },
    counts: [
      { agent: "Chaos", tasks: 1 },
      { agent: "Chaos", subject: "anna", state, tasks: 1 },
      { agent: "Chaos", state: "TASK_STATE_WORKING", tasks: 0 },
    ],
  },
};
