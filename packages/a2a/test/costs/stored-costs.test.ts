import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Handler, Runtime } from "@parley/a2a/server";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { createTestClock } from "@parley/a2a/testing";
import { openFolder } from "../support/files/open-folder.js";

const driver = new URL("./counting-driver.mjs", import.meta.url).href;

interface Costs {
  readonly commits: number;
  readonly statements: number;
  readonly rows: number;
  readonly bytes: number;
  /** What statements return. */
  readonly values: number;
}

/** Returns what some work costs a new SQLite file, from its opening to its closing. */
async function costsOf(run: Handler, work: (runtime: Runtime) => Promise<void>): Promise<Costs> {
  await using folder = await openFolder();
  const path = folder.file();
  // Nobody advances it, so that leases are not renewed meanwhile.
  const clock = createTestClock();
  {
    await using store = await openSqliteStore({ path, driver, clock });
    const subject = agent({ name: "Counted", description: "Is counted", run });

    await using runtime = await openRuntime({ agent: subject, store, clock });
    await work(runtime);
  }
  return JSON.parse(await readFile(`${path}.costs`, "utf8")) as Costs;
}

/** What one of them costs, when so many more of them cost so much more. */
function each(few: Costs, many: Costs, more: number): Costs {
  const cost = (key: keyof Costs) => (many[key] - few[key]) / more;
  return {
    commits: cost("commits"),
    statements: cost("statements"),
    rows: cost("rows"),
    bytes: cost("bytes"),
    values: cost("values"),
  };
}

async function complete(runtime: Runtime, text: string): Promise<void> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] } as const;
  const { task } = await runtime.sendMessage({ message }, { version: "1.0" });
  expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
}

it("a short task costs one commit, few statements and rows, and few bytes beyond what is said", async () => {
  const answer: Handler = async function* () {
    yield "x".repeat(100);
  };
  const costs = (tasks: number) =>
    costsOf(answer, async (runtime) => {
      for (let count = 0; count < tasks; count += 1) await complete(runtime, "go");
    });
  const task = each(await costs(3), await costs(23), 20);
  expect(task.commits).toBe(1);
  expect(task.statements).toBeLessThanOrEqual(8);
  expect(task.rows).toBeLessThanOrEqual(5);
  expect(task.bytes).toBeLessThan(1800);
});

it("short tasks that begin together share commits, and the statements that insert their rows", async () => {
  const answer: Handler = async function* () {
    yield "x".repeat(100);
  };
  const costs = (rounds: number) =>
    costsOf(answer, async (runtime) => {
      for (let count = 0; count < rounds; count += 1) {
        await Promise.all(Array.from({ length: 64 }, () => complete(runtime, "go")));
      }
    });
  const task = each(await costs(1), await costs(4), 3 * 64);
  expect(task.commits).toBeLessThanOrEqual(2 / 64);
  expect(task.statements).toBeLessThanOrEqual(1.4);
  expect(task.rows).toBeLessThan(4.1);
  expect(task.bytes).toBeLessThan(1800);
});

it("a chunk costs a share of a commit and of a row, and few bytes beyond its text", async () => {
  const count: Handler = async function* ({ text }) {
    for (let said = 0; said < Number(text); said += 1) yield "x".repeat(100);
  };
  const costs = (chunks: number) => costsOf(count, (runtime) => complete(runtime, `${chunks}`));
  const chunk = each(await costs(1000), await costs(3000), 2000);
  expect(chunk.commits).toBeLessThanOrEqual(1 / 60);
  expect(chunk.statements).toBeLessThanOrEqual(4 / 60);
  expect(chunk.rows).toBeLessThanOrEqual(1 / 60);
  expect(chunk.bytes).toBeLessThan(320);
});

it("a page of tasks costs five statements and a few values, however many tasks it has", async () => {
  const answer: Handler = async function* () {
    yield "x".repeat(100);
  };
  const costs = (lists: number, pageSize: number) =>
    costsOf(answer, async (runtime) => {
      for (let count = 0; count < 40; count += 1) await complete(runtime, "go");
      for (let count = 0; count < lists; count += 1) {
        const { tasks, totalSize } = await runtime.listTasks({ pageSize }, { version: "1.0" });
        expect([tasks.length, totalSize]).toEqual([pageSize, 40]);
      }
    });
  for (const pageSize of [5, 40]) {
    const page = each(await costs(1, pageSize), await costs(11, pageSize), 10);
    // The two ends of the transaction, the scope, the page and its total. The driver adds a value to each row.
    expect(page.statements).toBeLessThanOrEqual(5);
    expect(page.values).toBeLessThanOrEqual(8);
  }
});
