import type { TaskRecord } from "../task-record.js";
import { toState } from "./states.js";

/** A task's record as a row of a database, joined with its owner. */
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
