import type { TaskRecord } from "../../task-record.js";
import { toState } from "../states.js";

export interface RecordRow {
  readonly task_id: string;
  readonly tenant: string;
  readonly subject: string;
  readonly agent: string;
  readonly context_id: string;
  readonly created_in: string;
  readonly state: number;
  readonly status_at: number;
  readonly sequence: number;
  readonly bytes: number;
  readonly epoch: number;
  readonly node: string | null;
}

/** The columns of a `RecordRow`, of a task `t` and its scope `s`. */
export const recordColumns: string = `t.task_id, s.tenant, s.subject, t.agent, t.context_id, t.created_in,
  t.state, t.status_at, t.sequence, t.bytes, t.epoch, t.node`;

export function toRecord(row: RecordRow): TaskRecord {
  return {
    taskId: row.task_id,
    owner: { tenant: row.tenant, subject: row.subject },
    agent: row.agent,
    contextId: row.context_id,
    createdIn: row.created_in,
    state: toState(row.state),
    statusAt: row.status_at,
    sequence: row.sequence,
    bytes: row.bytes,
    epoch: row.epoch,
    ...(row.node !== null && { node: row.node }),
  };
}
