import type { Appended } from "../../append.js";
import { pushRankOf } from "../../push-detail.js";
import { StoreConflict } from "../../store-conflict.js";
import { limitsUsage } from "../../store-limits.js";
import type { Place } from "../place.js";
import type { Work } from "../work.js";
import { transact } from "../work.js";
import { checkConfigLimit, checkUsageLimit, lockUsage } from "../statements/limits.js";
import { insertKey, isKeyTaken } from "../statements/idempotency-keys.js";
import { saveConfig } from "../statements/push-configs.js";
import { lockTask } from "../statements/lock-task.js";
import type { LockedTask } from "../statements/lock-task.js";
import { nobodysRank } from "./append-text.js";
import type { AppendText } from "./append-text.js";
import { appendStatement } from "./append-statement.js";
import type { AppendRow } from "./append-statement.js";
import { existsAlready, refusalOf } from "./refuse.js";

/** An append, and whether its task has listeners. */
interface Careful {
  readonly appended: Appended;
  readonly hasListeners: boolean;
}

/**
 * Carries out an append in a transaction of its own: one with an idempotency key, limits or a push configuration, or one
 * of which somebody wants to be notified. The task's row stays locked from the first check to the commit.
 */
export function appendCarefully(place: Place, text: AppendText, writer: number): Promise<Careful> {
  return transact(place, async (work, { isDoubtful }) => {
    const { append } = text;
    const { limits } = append;
    if (limits !== undefined && limitsUsage(limits)) {
      const whose = append.create && {
        subject: append.create.owner.subject,
        agent: append.create.agent,
      };
      await lockUsage(work, whose ?? append.taskId);
    }
    const known = await lockTask(work, append.taskId);
    if (isDoubtful && known !== undefined) {
      const own = await findOwn(work, known, text, writer);
      if (own !== undefined) return { appended: own, hasListeners: true };
    }
    await checkAll(work, text, known);
    const { sequence, epoch, task, at } = await write(work, text, writer, known);
    const scope = known?.scope ?? text.scope ?? 0;
    if (append.idempotency !== undefined) {
      await insertKey(work, scope, { claim: append.idempotency, task, head: known?.head });
    }
    if (append.pushConfig !== undefined) {
      await saveConfig(work, { task, scope }, append.pushConfig);
    }
    const hasListeners = append.pushConfig !== undefined || (known?.listeners ?? 0) > 0;
    const queued = hasListeners ? await notify(work, text, { task, sequence }) : 0;
    return { appended: { sequence, epoch, at, queued }, hasListeners };
  });
}

/** Throws when the append has to be refused. */
async function checkAll(
  work: Work,
  { append, scope }: AppendText,
  known: LockedTask | undefined,
): Promise<void> {
  const { create, taskId, idempotency, limits, pushConfig } = append;
  const head = known?.head;
  if (create !== undefined && head !== undefined) throw existsAlready(taskId, head);
  const refusal = create === undefined ? refusalOf(append, head) : undefined;
  if (refusal !== undefined) throw refusal;
  const its = known?.scope ?? scope ?? 0;
  if (idempotency !== undefined && (await isKeyTaken(work, its, idempotency.key))) {
    throw new StoreConflict(`idempotency key ${JSON.stringify(idempotency.key)} is taken`, head);
  }
  if (limits === undefined) return;
  if (limitsUsage(limits)) {
    await checkUsageLimit(work, its, limits, create === undefined ? "part" : "task");
  }
  if (pushConfig !== undefined) {
    await checkConfigLimit(work, known?.task, pushConfig.configId, limits);
  }
}

/** Writes the append as a batch of one. Returns where the log stands then. */
async function write(
  work: Work,
  text: AppendText,
  writer: number,
  known: LockedTask | undefined,
): Promise<Written> {
  const { taskId, events, epoch } = text.append;
  const placed = { ...text, rank: nobodysRank, ord: 1, deadline: undefined };
  const commit = { writer, shard: work.shards.others };
  const rows = await work.session.query<AppendRow>(appendStatement(work.tables, [placed], commit));
  // Another transaction may have created the task a moment ago.
  if (rows.some(({ ord, ok }) => ord === 1 && !ok)) throw existsAlready(taskId, known?.head);
  const at = rows.find(({ ord }) => ord === 0)?.at ?? 0;
  if (known !== undefined) {
    const { sequence } = known.head;
    return { task: known.task, sequence: sequence + events.length, epoch: known.head.epoch, at };
  }
  const [row] = await work.session.query<{ task: number }>({
    name: "find-task",
    text: `SELECT task FROM ${work.tables.tasks} WHERE task_id = $1`,
    values: [taskId],
  });
  if (row === undefined) throw new Error(`task ${taskId} was not created`);
  return { task: row.task, sequence: events.length, epoch, at };
}

interface Written {
  readonly task: number;
  readonly sequence: number;
  readonly epoch: number;
  readonly at: number;
}

/** Queues a notification of each event for each listener that wants it. Returns how many. */
async function notify(
  { tables, session }: Work,
  { append, rank }: AppendText,
  { task, sequence }: Pick<Written, "task" | "sequence">,
): Promise<number> {
  const { events, notifyAt } = append;
  if (notifyAt === undefined || events.length === 0) return 0;
  const first = sequence - events.length + 1;
  const [row] = await session.query<{ queued: number }>({
    name: "queue-notifications",
    text: `WITH q AS (
        UPDATE ${tables.push_configs} SET due_at = coalesce(due_at, $2::bigint)
        WHERE task = $1 AND detail >= $3 RETURNING config, detail),
      d AS (
        INSERT INTO ${tables.deliveries} (config, sequence, queued_at)
        SELECT q.config, e.sequence, $2::bigint
        FROM q JOIN unnest($4::bigint[], $5::smallint[]) AS e(sequence, rank) ON e.rank <= q.detail
        RETURNING 1)
      SELECT count(*) AS queued FROM d`,
    values: [
      task,
      notifyAt,
      rank,
      events.map((_, index) => first + index),
      events.map((event) => pushRankOf(event)),
    ],
  });
  return row?.queued ?? 0;
}

/** The append as it is in the log, if an earlier try was committed after all. */
async function findOwn(
  { tables, session }: Work,
  { task }: LockedTask,
  { append }: AppendText,
  writer: number,
): Promise<Appended | undefined> {
  const [row] = await session.query<Appended>({
    text: `SELECT l.sequence, l.epoch, l.at, (
        SELECT count(*) FROM ${tables.push_configs} JOIN ${tables.deliveries} d USING (config)
        WHERE task = l.task AND d.sequence > l.sequence - $3) AS queued
      FROM ${tables.log} l WHERE l.task = $1 AND l.writer = $2::bigint ORDER BY l.sequence DESC LIMIT 1`,
    values: [task, writer, append.events.length],
  });
  return row;
}
