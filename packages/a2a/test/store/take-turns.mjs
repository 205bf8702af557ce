/**
 * A process that appends to one task, which others append to as well: it reads how long the log is and
 * appends there, until it has won so many times. It creates the task if it is the first to.
 */
import process from "node:process";
import { openSqliteStore } from "@parley/a2a/store/sqlite";

const [, , path, writer, wins] = process.argv;
const store = await openSqliteStore({ path, durability: "process" });
const taskId = "shared";
let won = 0;

const status = { state: "TASK_STATE_WORKING", at: 1000 };
const owner = { tenant: "acme", subject: "ada" };
await attempt({
  expectedSequence: 0,
  events: [{ kind: "task-created", taskId, contextId: "c", status: { state: status.state } }],
  create: { owner, agent: "travel", contextId: "c", createdIn: "1.0" },
  status,
});
won = 0;
while (won < Number(wins)) {
  const { sequence: expectedSequence } = await store.loadRecord(taskId);
  const parts = [{ text: `${writer} ${won}` }];
  const event = { kind: "artifact-updated", artifact: { artifactId: "answer", parts } };
  await attempt({ expectedSequence, events: [event] });
}
await store.close();

async function attempt(append) {
  try {
    await store.append({ taskId, epoch: 1, ...append });
    won += 1;
  } catch (error) {
    if (error.code !== "CONCURRENT_MODIFICATION") throw error;
  }
}
