import type { Append } from "../../append.js";
import { rowsOf } from "../../rows/log-rows.js";
import type { LogRow } from "../../rows/log-rows.js";
import { leastRankOf } from "../log-text.js";

/** An append with everything as text that is stored as text. */
export interface AppendText {
  readonly append: Append;
  /** The id of the scope of a new task. */
  readonly scope: number | undefined;
  readonly rows: readonly LogRow[];
  readonly checkpoint: string | undefined;
  readonly summary: string | undefined;
  /** The least rank of what is to be notified of. */
  readonly rank: number;
  /** Roughly how many bytes it takes on the way. */
  readonly size: number;
}

/** A rank that no listener wants. */
export const nobodysRank = 9;

export function toAppendText(append: Append, scope: number | undefined): AppendText {
  const { events, checkpoint, summary, notifyAt } = append;
  const rows = rowsOf(events);
  const body = checkpoint && JSON.stringify(checkpoint);
  const short = summary && JSON.stringify(summary.task);
  let size = 100 + (body?.length ?? 0) + (short?.length ?? 0);
  for (const row of rows) size += row.events.length;
  const rank = notifyAt === undefined ? nobodysRank : Math.min(leastRankOf(events), nobodysRank);
  return { append, scope, rows, checkpoint: body, summary: short, rank, size };
}

/** Whether an append only adds to the log, and does so in one row: what streams do, for which there is a faster statement. */
export function isChunk({ append, rows, checkpoint, summary }: AppendText): boolean {
  return (
    rows.length === 1 &&
    append.expectedSequence !== undefined &&
    append.create === undefined &&
    append.whileStates === undefined &&
    append.status === undefined &&
    append.node === undefined &&
    append.bytes === undefined &&
    checkpoint === undefined &&
    summary === undefined &&
    (append.messageIds?.length ?? 0) === 0
  );
}

/** Whether an append writes more than what the statement of a batch can write. */
export function needsCare({ idempotency, pushConfig, limits }: Append): boolean {
  return idempotency !== undefined || pushConfig !== undefined || limits !== undefined;
}
