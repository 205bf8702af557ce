import { toStateMask, toStateNumber } from "../../rows/states.js";
import type { AppendText } from "./append-text.js";

/** Rows that a statement gets as one array a column. */
export interface Relation<Row> {
  readonly columns: readonly {
    readonly name: string;
    readonly type: ColumnType;
    of(row: Row): Value;
  }[];
}

/** An absent value is null. */
type Value = string | number | null | undefined;

/** What a column holds. `json` is text that is JSON, and never null. */
type ColumnType = "int" | "bigint" | "smallint" | "text" | "json";

/** Stands between texts of JSON, which do not contain it. To quote each as an element of an array would take longer. */
const separator = "\u0001";

/** An append and its place in a batch. */
export interface Placed extends AppendText {
  readonly ord: number;
  /** When an append at the end comes too late, in the store's time. */
  readonly deadline: number | undefined;
}

function relation<Row>(
  columns: Readonly<Record<string, [ColumnType, (row: Row) => Value]>>,
): Relation<Row> {
  return {
    columns: Object.entries(columns).map(([name, [type, of]]) => ({ name, type, of })),
  };
}

const countOf = ({ append }: Placed): number => append.events.length;

/** What is expected of tasks that exist. */
export const heads: Relation<Placed> = relation({
  ord: ["int", ({ ord }) => ord],
  task_id: ["text", ({ append }) => append.taskId],
  expected: ["bigint", ({ append }) => append.expectedSequence ?? null],
  epoch: ["bigint", ({ append }) => append.epoch],
  while_states: ["int", ({ append }) => append.whileStates && toStateMask(append.whileStates)],
  deadline: ["bigint", ({ deadline }) => deadline ?? null],
  rank: ["smallint", ({ rank }) => rank],
  count: ["int", countOf],
});

/** The same, and what changes in their rows. A node of null stays, an empty one is cleared. */
export const changes: Relation<Placed> = {
  columns: [
    ...heads.columns,
    ...relation<Placed>({
      node: ["text", ({ append }) => (append.node === undefined ? null : (append.node ?? ""))],
      state: ["smallint", ({ append }) => append.status && toStateNumber(append.status.state)],
      status_at: ["bigint", ({ append }) => append.status?.at],
      bytes: ["bigint", ({ append }) => append.bytes],
    }).columns,
  ],
};

export const creations: Relation<Placed> = relation({
  ord: ["int", ({ ord }) => ord],
  task_id: ["text", ({ append }) => append.taskId],
  scope: ["bigint", ({ scope }) => scope],
  agent: ["text", ({ append }) => append.create?.agent],
  context_id: ["text", ({ append }) => append.create?.contextId],
  created_in: ["text", ({ append }) => append.create?.createdIn],
  state: ["smallint", ({ append }) => append.status && toStateNumber(append.status.state)],
  status_at: ["bigint", ({ append }) => append.status?.at],
  count: ["int", countOf],
  epoch: ["bigint", ({ append }) => append.epoch],
  node: ["text", ({ append }) => append.node],
  bytes: ["bigint", ({ append }) => append.bytes ?? 0],
});

/** A row of the log: `upto` is the number of the append's events up to its end. */
export const logRows: Relation<{
  readonly ord: number;
  readonly upto: number;
  readonly events: string;
}> = relation({
  ord: ["int", ({ ord }) => ord],
  upto: ["int", ({ upto }) => upto],
  events: ["json", ({ events }) => events],
});

export const checkpoints: Relation<Placed> = relation({
  ord: ["int", ({ ord }) => ord],
  body: ["json", ({ checkpoint }) => checkpoint],
});

export const summaries: Relation<Placed> = relation({
  ord: ["int", ({ ord }) => ord],
  omits: ["text", ({ append }) => append.summary?.omits.toSorted().join(" ")],
  body: ["json", ({ summary }) => summary],
});

export const messages: Relation<{ readonly ord: number; readonly messageId: string }> = relation({
  ord: ["int", ({ ord }) => ord],
  message_id: ["text", ({ messageId }) => messageId],
});

/** What a chunk needs: the log at this sequence under this epoch, and nobody who wants to be notified. */
export const chunks: Relation<Placed> = relation({
  ord: ["int", ({ ord }) => ord],
  task_id: ["text", ({ append }) => append.taskId],
  expected: ["bigint", ({ append }) => append.expectedSequence],
  epoch: ["bigint", ({ append }) => append.epoch],
  rank: ["smallint", ({ rank }) => rank],
  count: ["int", countOf],
  events: ["json", ({ rows }) => rows[0]?.events],
});

/** The rows in SQL, with parameters from a number on. */
export function spell<Row>({ columns }: Relation<Row>, alias: string, first: number): string {
  const arrays = columns.map(({ type }, index) => {
    const parameter = `$${first + index}`;
    return type === "json"
      ? `string_to_array(${parameter}, chr(${separator.codePointAt(0)}))`
      : `${parameter}::${type}[]`;
  });
  return `unnest(${arrays.join(", ")}) AS ${alias}(${columns.map(({ name }) => name).join(", ")})`;
}

/** The values of those parameters. */
export function valuesOf<Row>({ columns }: Relation<Row>, rows: readonly Row[]): unknown[] {
  return columns.map((column) => {
    const { type } = column;
    const values = rows.map((row) => column.of(row) ?? null);
    if (type === "text") return values;
    if (type === "json") return values.join(separator);
    return `{${values.map((value) => value ?? "NULL").join(",")}}`;
  });
}
