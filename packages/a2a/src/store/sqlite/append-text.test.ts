import { expect, test } from "vitest";
import { packAppend, toAppendText, unpackAppend } from "./append-text.js";

const status = { state: "TASK_STATE_WORKING", timestamp: "2026-01-01T00:00:00.000Z" } as const;
const task = { id: "t1", status };

test("an append comes out of its list as it went in, whatever it brings along", () => {
  const text = toAppendText({
    taskId: "t1",
    expectedSequence: 0,
    epoch: 1,
    whileStates: ["TASK_STATE_WORKING"],
    events: [
      { kind: "task-created", taskId: "t1", contextId: "c1", status },
      { kind: "status-changed", status },
    ],
    create: {
      owner: { tenant: "", subject: "alice" },
      agent: "bot",
      contextId: "c1",
      createdIn: "1.0",
    },
    status: { state: "TASK_STATE_WORKING", at: 1 },
    node: null,
    checkpoint: task,
    summary: { task, omits: ["artifacts"] },
    bytes: 100,
    messageIds: ["m1"],
    idempotency: { key: "k", requestHash: "h", expiresAt: 2 },
    pushConfig: {
      configId: "p1",
      config: { taskId: "t1", url: "https://example.com" },
      dialect: "1.0",
      detail: "chunks",
      host: "example.com",
    },
    notifyAt: 3,
    limits: { maxTasks: 1 },
  });
  expect(unpackAppend(packAppend(text))).toEqual(text);
  expect(text.rows[0]).toBe(2);
  expect(packAppend(text).every((value) => value !== undefined)).toBe(true);
});

test("what an append does not bring along stays absent", () => {
  const text = toAppendText({ taskId: "t1", epoch: 1, events: [] });
  expect(unpackAppend(packAppend(text))).toEqual(text);
});
