import { readFile } from "node:fs/promises";
import type { TaskState } from "@parley/a2a";
import type { Store, TaskRecord } from "@parley/a2a/store";
import type {
  CountedTasks,
  FinalConfig,
  FinalEntry,
  FinalState,
  FinalTask,
  History,
  HistoryEffect,
} from "@parley/a2a/testing";
import { taskStates } from "../../src/protocol/internal.js";
import { monotonicNow } from "./recorder.js";

/** An append that a node has been told is committed. */
interface TracedAppend {
  readonly kind: "append";
  readonly taskId: string;
  /** The last entry that it wrote, and how many. */
  readonly sequence: number;
  readonly count: number;
  readonly epoch: number;
  readonly isAtEnd: boolean;
  readonly node: string;
}

/** A handler that was aborted. */
interface TracedAbort {
  readonly kind: "aborted";
  readonly taskId: string;
  readonly node: string;
}

export type Trace = TracedAppend | TracedAbort | HistoryEffect;

/** What nodes have written down, also those that were killed. */
export async function readTraces(path: string): Promise<readonly Trace[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Trace]));
}

export function effectsIn(traces: readonly Trace[]): readonly HistoryEffect[] {
  return traces.flatMap((trace) =>
    trace.kind === "done" || trace.kind === "returned" ? [trace] : [],
  );
}

const agents = ["Chaos", "Plain"] as const;

/** Whether any task is submitted or working. */
export async function isActive(store: Store): Promise<boolean> {
  for (const agent of agents) {
    for (const state of ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"] as const) {
      const { totalSize } = await store.list({ agent, state, limit: 1 });
      if (totalSize > 0) return true;
    }
  }
  return false;
}

/** Reads everything that the store holds. */
export async function readFinalState(
  store: Store,
  traces: readonly Trace[],
  { leaseMs, calls }: { readonly leaseMs: number } & Pick<History, "calls">,
): Promise<FinalState> {
  const readAt = monotonicNow();
  const records = (await Promise.all(agents.map((agent) => listAll(store, agent)))).flat();
  const writers = writersOf(traces);
  const tasks: FinalTask[] = [];
  const configs: FinalConfig[] = [];
  const registered = new Set(calls.map(({ configId }) => configId));
  for (const record of records) {
    tasks.push({ record, log: await readLog(store, record, writers.get(record.taskId)) });
    for (const config of await store.listPushConfigs(record.taskId, undefined, 100)) {
      const { taskId, configId, detail } = config;
      // Those that no call of their own registered came with the message that created the task.
      const since = registered.has(configId) ? {} : { since: 0 };
      configs.push({ taskId, configId, detail, ...since });
    }
  }
  const holders = new Set(records.flatMap(({ node }) => (node === undefined ? [] : [node])));
  const liveNodes: string[] = [];
  for (const node of holders) if (await store.isLive(node)) liveNodes.push(node);
  return {
    readAt,
    leaseMs,
    areRunsOver: true,
    tasks,
    liveNodes,
    configs,
    outbox: await readOutbox(store),
    counts: (await Promise.all(agents.map((agent) => readCounts(store, agent)))).flat(),
  };
}

async function listAll(store: Store, agent: string): Promise<TaskRecord[]> {
  const records: TaskRecord[] = [];
  for (;;) {
    const last = records.at(-1);
    const after = last && { after: { statusAt: last.statusAt, taskId: last.taskId } };
    const { tasks } = await store.list({ agent, limit: 500, ...after });
    records.push(...tasks.map(({ record }) => record));
    if (tasks.length < 500) return records;
  }
}

async function readLog(
  store: Store,
  { taskId, sequence }: TaskRecord,
  writers: ReadonlyMap<number, TracedAppend> | undefined,
): Promise<readonly FinalEntry[]> {
  const entries = await store.read(taskId, 0, sequence + 1000);
  return entries.map(({ sequence, event }) => {
    const append = writers?.get(sequence);
    if (append === undefined) return { sequence, event };
    const { epoch, node: writer, isAtEnd } = append;
    return { sequence, event, epoch, writer, isAtEnd };
  });
}

/** Who wrote which entry, by task. */
function writersOf(traces: readonly Trace[]): Map<string, Map<number, TracedAppend>> {
  const writers = new Map<string, Map<number, TracedAppend>>();
  for (const trace of traces) {
    if (trace.kind !== "append") continue;
    const ofTask = writers.get(trace.taskId) ?? new Map<number, TracedAppend>();
    writers.set(trace.taskId, ofTask);
    for (let back = 0; back < trace.count; back += 1) ofTask.set(trace.sequence - back, trace);
  }
  return writers;
}

async function readOutbox(store: Store): Promise<FinalState["outbox"]> {
  const buried: { taskId: string; configId: string; sequence: number }[] = [];
  let waiting = 0;
  let overdueMs = 0;
  for (const agent of agents) {
    waiting += (await store.countDeliveries(agent)).waiting;
    buried.push(...(await store.listBuried({ agent, limit: 10_000 })));
    const next = await store.nextDeliveryAt(agent);
    if (next !== undefined) overdueMs = Math.max(overdueMs, Date.now() - next);
  }
  return { waiting, buried, overdueMs };
}

async function readCounts(store: Store, agent: string): Promise<readonly CountedTasks[]> {
  const { totalSize } = await store.list({ agent, limit: 1 });
  const counts: CountedTasks[] = [{ agent, tasks: totalSize }];
  for (const state of taskStates.filter((state: TaskState) => state !== "TASK_STATE_UNSPECIFIED")) {
    const page = await store.list({ agent, state, limit: 1 });
    counts.push({ agent, state, tasks: page.totalSize });
  }
  return counts;
}
