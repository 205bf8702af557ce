import type { A2AError } from "../../../protocol/internal.js";
import type { Appended } from "../../append.js";
import type { Head } from "../../store-conflict.js";
import type { Work } from "../work.js";
import { toState } from "../../rows/states.js";
import type { Tries } from "../repeat.js";
import { isChunk } from "./append-text.js";
import { appendStatement, chunkStatement } from "./append-statement.js";
import type { AppendRow, ChunkRow, Commit } from "./append-statement.js";
import { existsAlready, refusalOf } from "./refuse.js";
import type { Placed } from "./relations.js";

/**
 * What became of an append of a batch. `listened`: somebody wants to be notified, so it needs a transaction. `late`: it came
 * after its deadline and was not carried out.
 */
export type Outcome =
  | { readonly kind: "done"; readonly appended: Appended }
  | { readonly kind: "refused"; readonly error: A2AError }
  | { readonly kind: "listened" }
  | { readonly kind: "late" };

/** A batch on its way. */
export interface Batch {
  /** Each task is there at most once, by ascending ids. */
  readonly placed: readonly Placed[];
  readonly commit: Commit;
  /** What is known of it so far, by place. */
  readonly outcomes: Map<number, Outcome>;
}

/**
 * Commits a batch in one statement or two. What the first has committed is among the outcomes before the second is sent,
 * which may fail by itself.
 */
export async function commitBatch(
  work: Work,
  { placed, commit, outcomes }: Batch,
  { isDoubtful, wasUndone }: Tries,
): Promise<void> {
  let rest = placed;
  if (!isDoubtful && !wasUndone && placed.every(isChunk)) {
    rest = await commitChunks(work, placed, commit, outcomes);
    if (rest.length === 0) return;
  }
  const rows = await work.session.query<AppendRow>(appendStatement(work.tables, rest, commit));
  const at = rows.find(({ ord }) => ord === 0)?.at ?? 0;
  work.clock.observe(at);
  const answers = new Map(rows.map((row) => [row.ord, row]));
  const refused: { readonly one: Placed; readonly row: AppendRow }[] = [];
  for (const one of rest) {
    const row = answers.get(one.ord);
    if (row?.ok === false) refused.push({ one, row });
    else outcomes.set(one.ord, done(one, at, row && headOf(row)));
  }
  if (refused.length === 0) return;
  const own = isDoubtful
    ? await findOwn(
        work,
        refused.map(({ one }) => one),
        commit,
      )
    : new Map<number, number>();
  const heads = await findHeads(work, refused);
  for (const { one, row } of refused) {
    const ownAt = own.get(one.ord);
    if (ownAt !== undefined) {
      outcomes.set(one.ord, done(one, ownAt));
      continue;
    }
    const { append } = one;
    const error =
      append.create === undefined
        ? refusalOf(append, headOf(row))
        : existsAlready(append.taskId, heads.get(append.taskId));
    if (error !== undefined) outcomes.set(one.ord, { kind: "refused", error });
    else outcomes.set(one.ord, { kind: (row.listeners ?? 0) > one.rank ? "listened" : "late" });
  }
}

/** Commits what fits of a batch of chunks. Resolves with the rest of it. */
async function commitChunks(
  work: Work,
  batch: readonly Placed[],
  commit: Commit,
  outcomes: Map<number, Outcome>,
): Promise<readonly Placed[]> {
  const [row] = await work.session.query<ChunkRow>(chunkStatement(work.tables, batch, commit));
  if (row === undefined) return batch;
  work.clock.observe(row.at);
  const applied = row.ords === null && row.applied > 0 ? undefined : new Set(row.ords);
  const rest: Placed[] = [];
  for (const one of batch) {
    if (applied?.has(one.ord) === false) rest.push(one);
    else outcomes.set(one.ord, done(one, row.at));
  }
  return rest;
}

/** `from` is where the log stood, if the append did not say. */
function done({ append }: Placed, at: number, from?: Head): Outcome {
  const { sequence, epoch } = from ?? {
    sequence: append.expectedSequence ?? 0,
    epoch: append.epoch,
  };
  const appended = { sequence: sequence + append.events.length, epoch, at, queued: 0 };
  return { kind: "done", appended };
}

function headOf({ sequence, epoch, state }: AppendRow): Head | undefined {
  if (sequence === null || epoch === null || state === null) return undefined;
  return { sequence, epoch, state: toState(state) };
}

/** Which appends are in the log as parts of this very commit, and since when. */
async function findOwn(
  { tables, session }: Work,
  refused: readonly Placed[],
  { writer }: Commit,
): Promise<Map<number, number>> {
  const sized = refused.filter(({ append }) => append.events.length > 0);
  const rows = await session.query<{ ord: number; at: number }>({
    name: "find-own",
    text: `SELECT r.ord, l.at FROM unnest($2::int[], $3::text[], $4::bigint[]) AS r(ord, task_id, sequence)
      JOIN ${tables.tasks} t USING (task_id)
      JOIN ${tables.log} l ON l.task = t.task AND l.sequence = r.sequence AND l.writer = $1::bigint`,
    values: [
      writer,
      sized.map(({ ord }) => ord),
      sized.map(({ append }) => append.taskId),
      sized.map(({ append }) => (append.expectedSequence ?? 0) + append.events.length),
    ],
  });
  return new Map(rows.map(({ ord, at }) => [ord, at]));
}

/** Where the tasks stand that exist already although they should be new. */
async function findHeads(
  { tables, session }: Work,
  refused: readonly { readonly one: Placed; readonly row: AppendRow }[],
): Promise<Map<string, Head>> {
  const ids = refused.flatMap(({ one: { append } }) =>
    append.create === undefined ? [] : [append.taskId],
  );
  if (ids.length === 0) return new Map();
  const rows = await session.query<{ id: string; sequence: number; epoch: number; state: number }>({
    name: "find-heads",
    text: `SELECT task_id AS id, sequence, epoch, state FROM ${tables.tasks} WHERE task_id = ANY($1)`,
    values: [ids],
  });
  return new Map(
    rows.map(({ id, sequence, epoch, state }) => [id, { sequence, epoch, state: toState(state) }]),
  );
}
