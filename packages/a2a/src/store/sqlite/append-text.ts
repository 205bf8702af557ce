import type { TaskState } from "../../protocol/internal.js";
import type { Append, NewTask } from "../append.js";
import type { LogEvent } from "../log-event.js";
import { pushRankOf } from "../push-detail.js";
import { rowsOf } from "../rows/log-rows.js";
import type { TaskContent } from "../task-record.js";
import { toConfigText } from "./push-config-text.js";
import type { PushConfigText } from "./push-config-text.js";

/**
 * An append as the thread writes it: what the database stores as JSON is text already. It holds lists where it can,
 * because a list takes less time than an object on its way to the thread.
 */
export interface AppendText extends OrUndefined<
  Pick<
    Append,
    | "expectedSequence"
    | "whileStates"
    | "node"
    | "bytes"
    | "messageIds"
    | "idempotency"
    | "limits"
    | "notifyAt"
  >
> {
  readonly taskId: string;
  readonly epoch: number;
  /** How many events each row has, and the row. */
  readonly rows: readonly (number | string)[];
  readonly create: NewTaskText | undefined;
  readonly status: readonly [state: TaskState, at: number] | undefined;
  readonly checkpoint: string | undefined;
  readonly summary: { readonly omits: readonly TaskContent[]; readonly body: string } | undefined;
  readonly pushConfig: Omit<PushConfigText, "taskId"> | undefined;
  /** One digit per event: its `pushRankOf`. Empty: no notifications. */
  readonly ranks: string;
}

type NewTaskText = readonly [
  tenant: string,
  subject: string,
  agent: string,
  contextId: string,
  createdIn: string,
];

type OrUndefined<T> = { readonly [Name in keyof T]-?: T[Name] | undefined };

/** An append as it is sent to the thread: the values of its members, in their order. */
export type PackedAppend = readonly unknown[];

const members = [
  "taskId",
  "expectedSequence",
  "epoch",
  "rows",
  "notifyAt",
  "ranks",
  "status",
  "node",
  "bytes",
  "checkpoint",
  "messageIds",
  "create",
  "whileStates",
  "idempotency",
  "limits",
  "summary",
  "pushConfig",
] as const satisfies readonly (keyof AppendText)[];

/** Leaves out the names of members, which take the thread longer to read than their values. */
export function packAppend(text: AppendText): PackedAppend {
  return members.map((name) => text[name]);
}

export function unpackAppend(values: PackedAppend): AppendText {
  const text: Record<string, unknown> = {};
  for (const [index, name] of members.entries()) text[name] = values[index];
  return text as unknown as AppendText;
}

export function toAppendText(append: Append): AppendText {
  const { events, create, status, notifyAt, checkpoint, summary, pushConfig } = append;
  return {
    taskId: append.taskId,
    expectedSequence: append.expectedSequence,
    epoch: append.epoch,
    rows: rowsOf(events).flatMap(({ count, events: row }) => [count, row]),
    notifyAt,
    ranks: notifyAt === undefined ? "" : ranksOf(events),
    status: status && [status.state, status.at],
    node: append.node,
    bytes: append.bytes,
    checkpoint: checkpoint && JSON.stringify(checkpoint),
    messageIds: append.messageIds,
    create: create && toNewTaskText(create),
    whileStates: append.whileStates,
    idempotency: append.idempotency,
    limits: append.limits,
    summary: summary && { omits: summary.omits, body: JSON.stringify(summary.task) },
    pushConfig: pushConfig && toConfigText(pushConfig),
  };
}

function toNewTaskText({ owner, agent, contextId, createdIn }: NewTask): NewTaskText {
  return [owner.tenant, owner.subject, agent, contextId, createdIn];
}

/** Roughly how many bytes of text an append holds. */
export function bytesOf({ rows, checkpoint = "" }: AppendText): number {
  let bytes = checkpoint.length;
  for (const item of rows) if (typeof item === "string") bytes += item.length;
  return bytes;
}

/** One digit per event, because a short string is cheap to send to the thread. */
function ranksOf(events: readonly LogEvent[]): string {
  let ranks = "";
  for (const event of events) ranks += pushRankOf(event);
  return ranks;
}
