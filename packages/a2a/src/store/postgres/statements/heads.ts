import type { Session } from "../../../postgres/internal.js";
import type { Head } from "../../store-conflict.js";
import type { Place } from "../place.js";
import { toState } from "../states.js";

/** Where a task stands whose row the transaction has locked. */
export interface LockedHead extends Head {
  readonly task: number;
  readonly scope: number;
  readonly listeners: number;
}

/** Locks a task until the transaction ends. */
export async function lockHead(
  { tables }: Place,
  session: Session,
  taskId: string,
): Promise<LockedHead | undefined> {
  const [row] = await session.query<Omit<LockedHead, "state"> & { readonly state: number }>({
    name: "lock-head",
    text: `SELECT task, scope, sequence, epoch, state, listeners FROM ${tables.tasks}
      WHERE task_id = $1 FOR NO KEY UPDATE`,
    values: [taskId],
  });
  return row && { ...row, state: toState(row.state) };
}
