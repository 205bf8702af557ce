import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Violation } from "@parley/a2a/testing";
import type { Mutant } from "./cluster-node.js";
import { startEngines } from "./engines.js";
import type { EngineChoice } from "./engines.js";
import { openCluster } from "./open-cluster.js";
import type { Row } from "./rows/row.js";
import { runChaos } from "./run-chaos.js";

export interface RowOptions extends EngineChoice {
  readonly seed: number;
  readonly forMs: number;
  readonly leaseMs?: number;
  readonly nodes?: number;
  readonly concurrency?: number;
  readonly mutant?: Mutant;
  /** How many watchers there are where a row is about many; 1000 when absent. */
  readonly watchers?: number;
}

/** What came of a row. */
export interface RowResult {
  readonly name: string;
  readonly seed: number;
  readonly conversations: number;
  readonly tasks: number;
  readonly entries: number;
  readonly calls: number;
  readonly unknown: number;
  readonly faults: number;
  /** Violations that the row does not allow. */
  readonly violations: readonly Violation[];
  /** Promises of the row itself that were not kept. */
  readonly broken: readonly string[];
  /** Where the history, the shortest breaking history and the reports of the nodes are. */
  readonly folder: string;
}

/** Starts a cluster, lets a row of the matrix happen to it, and checks what everybody saw. */
export async function runRow(row: Row, options: RowOptions): Promise<RowResult> {
  const folder = await mkdtemp(join(tmpdir(), `parley-chaos-${row.name}-`));
  const { seed, forMs, leaseMs = 3000, nodes = 3, mutant, concurrency, watchers = 1000 } = options;
  await using engines = await startEngines(options, row);
  await using cluster = await openCluster({
    folder,
    nodes,
    leaseMs,
    ...(engines.store !== undefined && { store: engines.store }),
    ...(engines.bus !== undefined && { bus: engines.bus }),
    ...(mutant !== undefined && { mutant }),
    ...row.cluster?.(engines),
  });
  const { history, violations, conversations, unfinished } = await runChaos({
    cluster,
    folder,
    seed,
    forMs,
    ...(concurrency !== undefined && { concurrency }),
    faults: (_, recorder, given) => row.fail({ cluster, engines, recorder, watchers, ...given }),
  });
  const reports = await Promise.all(
    cluster.members.map(({ node }) => readFile(node.options.log, "utf8")),
  );
  const allowed = new Set(row.allows);
  return {
    name: row.name,
    seed,
    conversations,
    tasks: history.end.tasks.length,
    entries: history.end.tasks.reduce((sum, { log }) => sum + log.length, 0),
    calls: history.calls.length,
    unknown: history.calls.filter(({ outcome }) => outcome === "unknown").length,
    faults: history.faults.length,
    violations: violations.filter(({ invariant }) => !allowed.has(invariant)),
    broken: [...(row.check?.(history, reports) ?? []), ...unfinished],
    folder,
  };
}
