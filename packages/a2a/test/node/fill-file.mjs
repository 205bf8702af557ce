/** A process that may write no large file, and fills one. It says what was kept, and what was said about the rest. */
import process from "node:process";
import { openSqliteStore } from "@parley/a2a/store/sqlite";

const path = process.argv[2];
const reports = [];
const store = await openSqliteStore({ path, report: (notice) => reports.push(notice.message) });
const acknowledged = [];
const codes = new Set();
for (let count = 0; count < 40; count += 1) {
  const taskId = `t${count}`;
  const status = { state: "TASK_STATE_WORKING", at: 1000 };
  const parts = [{ text: "x".repeat(50_000) }];
  try {
    await store.append({
      taskId,
      expectedSequence: 0,
      epoch: 1,
      events: [
        { kind: "task-created", taskId, contextId: "c", status: { state: status.state } },
        { kind: "artifact-updated", artifact: { artifactId: "a", parts } },
      ],
      create: {
        owner: { tenant: "", subject: "ada" },
        agent: "a",
        contextId: "c",
        createdIn: "1.0",
      },
      status,
    });
    acknowledged.push(taskId);
  } catch (error) {
    codes.add(error.code);
  }
}
const problem = await store.check().then(
  () => "",
  (error) => error.message,
);
process.stdout.write(JSON.stringify({ acknowledged, codes: [...codes], reports, problem }));
await store.close();
