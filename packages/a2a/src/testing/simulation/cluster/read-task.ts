import type { PushConfigRecord } from "../../../store/internal.js";
import type { FinalConfig, FinalTask } from "../../history/history.js";
import type { StoreHub } from "./store-hub.js";

/** How many configurations of a task are read. */
const page = 1000;

/** A task as the store has it, who wrote what, and its push configurations. */
export interface WholeTask {
  readonly task: FinalTask;
  readonly configs: readonly FinalConfig[];
}

/** Reads all of a task; `undefined` when the store does not have it. */
export async function readTask(
  { store, writtenTo }: Pick<StoreHub, "store" | "writtenTo">,
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
