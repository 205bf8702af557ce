import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { Role, SendMessageRequest, TaskState } from "a2a-sdk-1.0";
import { ServerCallContext } from "a2a-sdk-1.0/server";
import { median } from "../compare.js";
import { createSdkHandler } from "../http-sdk.js";
import { time } from "../measure.js";
import { complete, inLanes, openNode, text } from "./nodes.js";
import { openRawPool, statementsSent } from "./pg.js";
import type { Row } from "./row.js";
import { SdkStore, sdkTables } from "./sdk-store.js";

const lanes = 64;
const rounds = 7;
const alone = 50;

/** Tasks that are created, worked on and completed: on PostgreSQL, on SQLite, and by the SDK on PostgreSQL. */
export async function measureLifecycles(url: string, sdkUrl: string): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    return await compareLifecycles(url, sdkUrl, join(folder, "bench.db"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function compareLifecycles(url: string, sdkUrl: string, path: string): Promise<Row[]> {
  let isWaiting = false;
  const run = async function* (): AsyncGenerator<{ artifact: string; text: string }> {
    if (isWaiting) {
      yield { artifact: "first", text };
      await sleep(10);
    }
    yield { artifact: "answer", text };
  };
  await using postgres = await openNode({ store: url, run });
  await using sqlite = await openNode({ store: await openSqliteStore({ path }), run });
  await using pool = openRawPool(sdkUrl);
  await pool.query(sdkTables);
  const sdk = openSdk(new SdkStore(pool));

  const times: { postgres: number; sqlite: number; sdk: number }[] = [];
  let [statements, sdkStatements] = [0, 0];
  for (let turn = -1; turn < rounds; turn += 1) {
    const before = statementsSent();
    const own = await time(() => inLanes(lanes, 20, () => complete(postgres.runtime)));
    const between = statementsSent();
    const others = await time(() => inLanes(lanes, 4, sdk));
    const after = statementsSent();
    const small = await time(() => inLanes(lanes, 20, () => complete(sqlite.runtime)));
    if (turn < 0) continue;
    statements += between - before;
    sdkStatements += after - between;
    times.push({ postgres: own / 20, sqlite: small / 20, sdk: others / 4 });
  }
  let roundTrips = 0;
  const postgresAlone = await time(async () => {
    roundTrips = await countStatements(1, alone, () => complete(postgres.runtime));
  });
  const sdkAlone = await time(() => inLanes(1, alone, sdk));
  isWaiting = true;
  const waiting = await countStatements(lanes, 10, () => complete(postgres.runtime));
  const waitingAlone = await countStatements(1, alone, () => complete(postgres.runtime));

  const rate = (key: keyof (typeof times)[number]): string =>
    ((lanes * 1000) / median(times.map((found) => found[key]))).toFixed(0);
  const ratio = (than: "sqlite" | "sdk"): number =>
    median(times.map((found) => found[than] / found.postgres));
  return [
    {
      name: "lifecycles, 64 at once, PostgreSQL / SQLite",
      value: ratio("sqlite"),
      unit: "×",
      atLeast: 0.8,
      note: `${rate("postgres")} tasks/s, SQLite ${rate("sqlite")}`,
    },
    {
      name: "lifecycles, 64 at once, PostgreSQL / SDK 1.3.0 with its PostgreSQL statements",
      value: ratio("sdk"),
      unit: "×",
      atLeast: 12,
      note: `SDK ${rate("sdk")} tasks/s, ${(sdkStatements / (rounds * lanes * 4)).toFixed(1)} statements a task`,
    },
    {
      name: "lifecycles one after the other, PostgreSQL / SDK 1.3.0",
      value: sdkAlone / postgresAlone,
      unit: "×",
      atLeast: 1,
      note: `${(postgresAlone / alone).toFixed(1)} ms, SDK ${(sdkAlone / alone).toFixed(1)}`,
    },
    {
      name: "statements a lifecycle, 64 at once",
      value: statements / (rounds * lanes * 20),
      unit: "",
      atMost: 0.2,
    },
    { name: "round trips a lifecycle, alone", value: roundTrips, unit: "", atMost: 2 },
    {
      name: "statements a lifecycle whose handler answers at once and 10 ms later, 64 at once",
      value: waiting,
      unit: "",
      atMost: 0.2,
      note: `alone ${waitingAlone.toFixed(2)} round trips`,
    },
  ];
}

/** Statements for each time that the work is done. */
async function countStatements(
  inParallel: number,
  times: number,
  work: () => Promise<void>,
): Promise<number> {
  const before = statementsSent();
  await inLanes(inParallel, times, work);
  return (statementsSent() - before) / (inParallel * times);
}

/** One lifecycle by the SDK, with the same events. */
function openSdk(store: SdkStore): () => Promise<void> {
  const handler = createSdkHandler(store);
  return async () => {
    const request = SendMessageRequest.fromJSON({
      message: { messageId: randomUUID(), role: Role.ROLE_USER, parts: [{ text: `task ${text}` }] },
    });
    const context = new ServerCallContext({ requestedVersion: "1.0", tenant: "default" });
    const answer = await handler.sendMessage(request, context);
    const state = "status" in answer ? answer.status?.state : undefined;
    if (state !== TaskState.TASK_STATE_COMPLETED) throw new Error(`the task is ${state}`);
  };
}
