import type { Head } from "../../store-conflict.js";
import type { Work } from "../work.js";
import { toState } from "../../rows/states.js";

/** A task whose row the transaction has locked. */
export interface LockedTask {
  readonly task: number;
  readonly scope: number;
  readonly listeners: number;
  readonly head: Head;
}

interface HeadRow extends Omit<LockedTask, "head"> {
  readonly sequence: number;
  readonly epoch: number;
  readonly state: number;
}

/** Locks a task until the transaction ends. */
export async function lockTask(
  { tables, session }: Work,
  taskId: string,
): Promise<LockedTask | undefined> {
  const [row] = await session.query<HeadRow>({
    name: "lock-task",
    text: `SELECT task, scope, sequence, epoch, state, listeners FROM ${tables.tasks}
      WHERE task_id = $1 FOR NO KEY UPDATE`,
    values: [taskId],
  });
  if (row === undefined) return undefined;
  const { task, scope, listeners, sequence, epoch, state } = row;
  return { task, scope, listeners, head: { sequence, epoch, state: toState(state) } };
}
