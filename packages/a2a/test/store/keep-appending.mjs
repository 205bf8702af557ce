/**
 * A process that appends to several tasks until it is killed. For every acknowledged append it writes a
 * line with the task and its sequence, at once, so that nothing it has said can be lost with it.
 */
import { openSync, writeSync } from "node:fs";
import process from "node:process";
import { openSqliteStore } from "@parley/a2a/store/sqlite";

const [, , path, prefix, durability, acknowledged] = process.argv;
const lines = openSync(acknowledged, "w");
const store = await openSqliteStore({ path, durability });
await Promise.all(["a", "b", "c", "d"].map((name) => keepAppending(`${prefix}-${name}`)));

async function keepAppending(taskId) {
  const status = { state: "TASK_STATE_WORKING", at: Date.now() };
  const create = {
    owner: { tenant: "acme", subject: "ada" },
    agent: "travel",
    contextId: taskId,
    createdIn: "1.0",
  };
  const first = {
    kind: "task-created",
    taskId,
    contextId: taskId,
    status: { state: status.state },
  };
  await store.append({ taskId, expectedSequence: 0, epoch: 1, events: [first], create, status });
  for (let sequence = 1; ; sequence += 8) {
    const appends = Array.from({ length: 8 }, (_, index) => append(taskId, sequence + index));
    await Promise.all(appends);
  }
}

async function append(taskId, expectedSequence) {
  const parts = [{ text: `${expectedSequence + 1}` }];
  const event = { kind: "artifact-updated", artifact: { artifactId: "answer", parts } };
  await store.append({ taskId, expectedSequence, epoch: 1, events: [event] });
  writeSync(lines, `${taskId} ${expectedSequence + 1}\n`);
}
