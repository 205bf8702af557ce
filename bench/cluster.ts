/**
 * Measures nodes that share a PostgreSQL database. Numbers are ratios within one run wherever there is something to
 * compare with. They tell; a busy machine fails nobody.
 */
import { measureChunks } from "./cluster/chunks.js";
import { measureLifecycles } from "./cluster/lifecycles.js";
import { readOptions } from "./cluster/options.js";
import { printHead, printRows } from "./cluster/row.js";
import type { Row } from "./cluster/row.js";
import { progress } from "./measure.js";
import { startPostgres } from "./start-server.js";

/** Each series gets databases of its own. */
type Series = (newDatabase: () => Promise<string>, isFull: boolean) => Promise<Row[]>;

const allSeries: Readonly<Record<string, Series>> = {
  chunks: async (newDatabase) => measureChunks(await newDatabase()),
  lifecycles: async (newDatabase) => measureLifecycles(await newDatabase(), await newDatabase()),
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
