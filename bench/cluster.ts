/**
 * Measures nodes that share a PostgreSQL database. Numbers are ratios within one run wherever there is something to
 * compare with. They tell; a busy machine fails nobody.
 */
import { measureChunks } from "./cluster/chunks.js";
import { measureGrowth } from "./cluster/growth.js";
import { measureIdle } from "./cluster/idle.js";
import { measureInterference } from "./cluster/interference.js";
import { measureLifecycles } from "./cluster/lifecycles.js";
import { measureManyTasks } from "./cluster/many-tasks.js";
import { readOptions } from "./cluster/options.js";
import { printHead, printRows } from "./cluster/row.js";
import type { Row } from "./cluster/row.js";
import { measureTakeover } from "./cluster/takeover.js";
import { measureWakeUps, withNats } from "./cluster/wake-ups.js";
import { measureWatchers } from "./cluster/watchers.js";
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

export async function benchCluster(): Promise<boolean> {
  const { isFull, series = Object.keys(allSeries) } = readOptions();
  await using server = await startPostgres();
  printHead();
  for (const name of series) {
    const measure = allSeries[name];
    if (measure === undefined) {
      throw new Error(`there is no series ${name}, only ${Object.keys(allSeries).join(", ")}`);
    }
    progress(`cluster: ${name}`);
    printRows(await measure(() => server.createDatabase(), isFull));
  }
  return true;
}
