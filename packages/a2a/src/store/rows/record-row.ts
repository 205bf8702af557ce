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

/** The members of a row, in the order in which they are in a `RecordTuple`. */
export const recordMembers: readonly (keyof RecordRow)[] = [
  "task_id",
  "tenant",
  "subject",
  "agent",
  "context_id",
  "created_in",
  "state",
  "status_at",
  "sequence",
  "bytes",
  "epoch",
  "node",
];

/** A row without the names of its members. */
export type RecordTuple = readonly [
  taskId: string,
  tenant: string,
  subject: string,
  agent: string,
  contextId: string,
  createdIn: string,
  state: number,
  statusAt: number,
  sequence: number,
  bytes: number,
  epoch: number,
  node: string | null,
];

export function fromTuple(tuple: RecordTuple): TaskRecord {
  const node = tuple[11];
  return {
    taskId: tuple[0],
    owner: { tenant: tuple[1], subject: tuple[2] },
    agent: tuple[3],
    contextId: tuple[4],
    createdIn: tuple[5],
    state: toState(tuple[6]),
    statusAt: tuple[7],
    sequence: tuple[8],
    bytes: tuple[9],
    epoch: tuple[10],
    ...(node !== null && { node }),
  };
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
