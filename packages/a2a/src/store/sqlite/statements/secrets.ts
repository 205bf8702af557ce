import type { Connection } from "../connection.js";

/** Saves a value unless there is one of that name. Returns the saved one. */
export function settleSecret(db: Connection, name: string, proposed: string): string {
  db.run("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", name, proposed);
  const row = db.get<{ value: string }>("SELECT value FROM secrets WHERE name = ?", name);
  if (row === undefined) throw new Error(`the secret ${name} was not saved`);
  return row.value;
}
