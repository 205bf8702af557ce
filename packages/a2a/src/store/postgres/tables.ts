const names = [
  "scopes",
  "counters",
  "tasks",
  "log",
  "checkpoints",
  "summaries",
  "message_ids",
  "nodes",
  "secrets",
  "push_configs",
  "deliveries",
  "buried_deliveries",
  "idempotency_keys",
] as const;

/** The qualified names of the tables, which work on every connection, also on one that a pooler lends out. */
export type Tables = Readonly<Record<(typeof names)[number], string>> & {
  /** A call of the function that returns the store's time. */
  readonly now: string;
};

export function tablesIn(schema: string): Tables {
  const place = quoteName(schema);
  const entries = names.map((name) => [name, `${place}.${name}`]);
  return { ...Object.fromEntries(entries), now: `${place}.now_ms()` } as Tables;
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * A condition that a column has the value of a row of a batch, in a form that the planner can neither hash nor merge: it goes
 * through the batch row by row, in its order, and looks each up in an index, also where the table was small when it planned.
 */
export function isEach(column: string, value: string): string {
  return `${column} = ANY (ARRAY[${value}])`;
}

/** States as they are stored, in SQL: those in which a task has ended. */
export const ended = "(3, 4, 5, 7)";
