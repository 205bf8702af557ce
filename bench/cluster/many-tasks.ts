import type { Store } from "@parley/a2a/store";
import { openPostgresStore } from "@parley/a2a/store/postgres";
import { ListTasksRequest } from "a2a-sdk-1.0";
import { ServerCallContext } from "a2a-sdk-1.0/server";
import { median } from "../compare.js";
import { time } from "../measure.js";
import { agent, owner } from "../store-samples.js";
import { fillTasks, placeOf } from "./fill-tasks.js";
import { openRawPool } from "./pg.js";
import type { Raw } from "./pg.js";
import type { Row } from "./row.js";
import { SdkStore, sdkScope, sdkTables } from "./sdk-store.js";

const pageSize = 50;
const rounds = 100;
const nodeInfo = { agent, revision: "1", version: "1" };

/** What grows with the number of tasks in a store, and what must not. */
export async function measureManyTasks(url: string, sdkUrl: string, count: number): Promise<Row[]> {
  await using store = await openPostgresStore({ url });
  await fillTasks(url, count, "COMPLETED", agent);
  await using pool = openRawPool(sdkUrl);
  await fillSdk(pool, count);
  const sdk = new SdkStore(pool);
  const first = { owner, agent, limit: pageSize };
  const last = { ...first, after: placeOf(count, count - pageSize) };
  const request = ListTasksRequest.fromJSON({ pageSize });
  const context = new ServerCallContext();
  const pages: { first: number; last: number; sdk: number }[] = [];
  for (let turn = -5; turn < rounds; turn += 1) {
    const page = {
      first: await time(() => list(store, first, count)),
      last: await time(() => list(store, last, count)),
      // Each takes long.
      sdk: turn % 10 === 0 ? await time(() => listSdk(sdk, request, context)) : Number.NaN,
    };
    if (turn >= 0) pages.push(page);
  }
  const medianOf = (key: keyof (typeof pages)[number]): number =>
    median(pages.map((page) => page[key]).filter((found) => !Number.isNaN(found)));
  const [firstMs, lastMs, sdkMs] = [medianOf("first"), medianOf("last"), medianOf("sdk")];
  const idleMs = await measureIdleClaims(store);
  const deletions: number[] = [];
  for (let turn = -3; turn < 20; turn += 1) {
    const took = await time(() => deleteBatch(store, count));
    if (turn >= 0) deletions.push(took);
  }
  const tasks = count.toLocaleString("en");
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  return [
    {
      name: `last page of ${tasks} tasks / first`,
      value: lastMs / firstMs,
      unit: "×",
      atMost: 2,
      note: `${ms(lastMs)}, first ${ms(firstMs)}`,
    },
    {
      name: `first page of ${tasks} tasks, statements of SDK 1.3.0 / Parley`,
      value: sdkMs / firstMs,
      unit: "×",
      // 100 for a million: the SDK counts all tasks for each page.
      atLeast: count / 10_000,
      note: `SDK ${ms(sdkMs)}`,
    },
    {
      name: `deleting 500 of ${tasks} ended tasks`,
      value: median(deletions),
      unit: " ms",
      atMost: 50,
    },
    { name: `claimAbandoned that finds none`, value: idleMs, unit: " ms", atMost: 5 },
  ];
}

async function list(
  store: Store,
  query: Parameters<Store["list"]>[0],
  count: number,
): Promise<void> {
  const { tasks, totalSize } = await store.list(query);
  if (tasks.length !== pageSize || totalSize !== count) throw new Error("the list is wrong");
}

async function listSdk(
  sdk: SdkStore,
  request: ListTasksRequest,
  context: ServerCallContext,
): Promise<void> {
  const { tasks } = await sdk.list(request, context);
  if (tasks.length !== pageSize) throw new Error("the SDK's list is wrong");
}

async function deleteBatch(store: Store, count: number): Promise<void> {
  if ((await store.deleteEnded(count, 500)) !== 500) throw new Error("too few tasks are deleted");
}

async function measureIdleClaims(store: Store): Promise<number> {
  await store.renewNode("alive", 60_000, nodeInfo);
  const times: number[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    times.push(await time(async () => void (await store.claimAbandoned(agent, "alive", 100))));
  }
  return median(times);
}

async function fillSdk(pool: Raw, count: number): Promise<void> {
  const [tenant, subject] = sdkScope;
  const status = JSON.stringify({ state: "TASK_STATE_COMPLETED" });
  await pool.query(`${sdkTables};
    INSERT INTO tasks SELECT '${tenant}', '${subject}', 'task-' || lpad(n::text, 31, '0'),
      'context-' || lpad(n::text, 28, '0'), n, 'TASK_STATE_COMPLETED', '${status}', NULL, NULL, NULL,
      '1.0'
    FROM generate_series(1, ${count}) AS n`);
  // For what the SDK counts, a fresh visibility map matters.
  await pool.query("VACUUM ANALYZE tasks");
}
