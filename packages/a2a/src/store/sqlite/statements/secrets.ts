import type { Connection } from "../connection.js";

/** Keeps a value unless there is one of the name; answers the one that is kept. */
export function settleSecret(db: Connection, name: string, proposed: string): string {
  db.run("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", name, proposed);
  const row = db.get<{ value: string }>("SELECT value FROM secrets WHERE name = ?", name);
  if (row === undefined) throw new Error(`the secret ${name} was not kept`);
  return row.value;
}
