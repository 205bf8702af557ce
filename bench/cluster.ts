/**
 * Measures nodes that share a PostgreSQL database. Numbers are ratios within one run wherever there is something to
 * compare with. They tell; a busy machine fails nobody.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { measureChunks } from "./cluster/chunks.js";
import { measureGrowth } from "./cluster/growth.js";
import { measureIdle } from "./cluster/idle.js";
import { measureInterference } from "./cluster/interference.js";
import { measureLifecycles } from "./cluster/lifecycles.js";
import { measureManyTasks } from "./cluster/many-tasks.js";
import { connectRaw } from "./cluster/pg.js";
import { readOptions } from "./cluster/options.js";
import { printHead, printRows } from "./cluster/row.js";
import type { Row } from "./cluster/row.js";
import { measureTakeover } from "./cluster/takeover.js";
import { measureWakeUps, withNats } from "./cluster/wake-ups.js";
import { measureWatchers } from "./cluster/watchers.js";
import { writePage } from "./cluster/write-page.js";
import type { SeriesRows } from "./cluster/write-page.js";
import { progress } from "./measure.js";
import { startPostgres } from "./start-server.js";

/** Each series gets databases of its own. */
type Series = (newDatabase: () => Promise<string>, isFull: boolean) => Promise<Row[]>;

const allSeries: Readonly<Record<string, Series>> = {
  chunks: async (newDatabase) => measureChunks(await newDatabase()),
  lifecycles: async (newDatabase) => measureLifecycles(await newDatabase(), await newDatabase()),
  growth: async (newDatabase) => measureGrowth(await newDatabase()),
  interference: async (newDatabase) => measureInterference(await newDatabase()),
  wakeups: (newDatabase) =>
    withNats(async (natsUrl) => measureWakeUps(await newDatabase(), natsUrl)),
  watchers: async (newDatabase) => measureWatchers(await newDatabase()),
  takeover: async (newDatabase) => measureTakeover(await newDatabase()),
  tasks: async (newDatabase, isFull) =>
    measureManyTasks(await newDatabase(), await newDatabase(), isFull ? 1_000_000 : 100_000),
  idle: async (newDatabase) => measureIdle(await newDatabase()),
};

/** A series that takes longer than this is left out, so that the others are measured. */
const longestMs = 120_000;

/** Measures the series that are named, or all of them, and writes `bench/CLUSTER.md` if it was all. */
export async function benchCluster(): Promise<boolean> {
  const { isFull, series = Object.keys(allSeries) } = readOptions();
  const unknown = series.find((name) => allSeries[name] === undefined);
  if (unknown !== undefined) {
    throw new Error(`there is no series ${unknown}, only ${Object.keys(allSeries).join(", ")}`);
  }
  await using server = await startPostgres();
  printHead();
  const all: SeriesRows[] = [];
  for (const name of series) {
    progress(`cluster: ${name}`);
    const found = await measureSeries(name, () => server.createDatabase(), isFull);
    printRows(found.rows);
    if (found.problem !== undefined) progress(`${name}: ${found.problem}`);
    all.push(found);
  }
  if (series.length === Object.keys(allSeries).length) {
    await using raw = await connectRaw(await server.createDatabase());
    const [shown] = await raw.query("SHOW server_version");
    await writePage(all, `PostgreSQL ${String(shown?.["server_version"])}`);
  }
  return all.every(({ problem }) => problem === undefined);
}

async function measureSeries(
  name: string,
  newDatabase: () => Promise<string>,
  isFull: boolean,
): Promise<SeriesRows> {
  const begunAt = performance.now();
  const late = new AbortController();
  const atMostMs = isFull ? 10 * longestMs : longestMs;
  const tooLong = sleep(atMostMs, undefined, { signal: late.signal }).then((): never => {
    throw new Error(`took longer than ${atMostMs / 1000} s`);
  });
  try {
    const rows = await Promise.race([allSeries[name]?.(newDatabase, isFull) ?? [], tooLong]);
    return { name, seconds: (performance.now() - begunAt) / 1000, rows };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { name, seconds: (performance.now() - begunAt) / 1000, rows: [], problem };
  } finally {
    late.abort();
  }
}
