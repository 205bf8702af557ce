import type { PushConfigRecord, Store } from "../../../store/internal.js";
import type { FinalConfig, FinalEntry, FinalTask } from "../../history/history.js";

/** How many configurations of a task are read. */
const page = 1000;

/** Who wrote which entries of a log. */
export interface Written extends Pick<FinalEntry, "epoch" | "writer" | "isAtEnd"> {
  readonly from: number;
  readonly to: number;
}

/** A store, and who wrote what to it. */
export interface TaskSource {
  readonly store: Store;
  readonly writtenTo: (taskId: string) => readonly Written[];
}

/** A task as the store has it, who wrote what, and its push configurations. */
export interface WholeTask {
  readonly task: FinalTask;
  readonly configs: readonly FinalConfig[];
}

/** Reads all of a task; `undefined` when the store does not have it. */
export async function readTask(
  { store, writtenTo }: TaskSource,
  taskId: string,
): Promise<WholeTask | undefined> {
  const record = await store.loadRecord(taskId);
  if (record === undefined) return undefined;
  const written = writtenTo(taskId);
  const entries = await store.read(taskId, 0, record.sequence);
  const log = entries.map(({ sequence, event }) => {
    const by = written.find(({ from, to }) => sequence >= from && sequence <= to);
    return {
      sequence,
      event,
      ...(by && { epoch: by.epoch, writer: by.writer, isAtEnd: by.isAtEnd }),
    };
  });
  const configs = await store.listPushConfigs(taskId, undefined, page);
  return { task: { record, log } as FinalTask, configs: configs.map(finalConfig) };
}

/** A configuration that came with the first message is owed everything. */
function finalConfig({ taskId, configId, detail }: PushConfigRecord): FinalConfig {
  return { taskId, configId, detail, ...(configId.startsWith("p-") && { since: 0 }) };
}
