import type { Scope } from "../../task-record.js";
import type { Place } from "../place.js";
import { write } from "../work.js";

export async function findByMessageId(
  { database, tables }: Place,
  { tenant, subject, agent }: Scope,
  messageId: string,
): Promise<string | undefined> {
  const [row] = await database.read<{ id: string }>({
    name: "find-message",
    text: `SELECT t.task_id AS id FROM ${tables.scopes} s
      JOIN ${tables.message_ids} m ON m.scope = s.scope AND m.message_id = $4
      JOIN ${tables.tasks} t ON t.task = m.task
      WHERE s.tenant = $1 AND s.subject = $2 AND s.agent = $3`,
    values: [tenant, subject, agent, messageId],
  });
  return row?.id;
}

export async function settleSecret(place: Place, name: string, proposed: string): Promise<string> {
  const [row] = await write(place, ({ session }) =>
    session.query<{ value: string }>({
      text: `INSERT INTO ${place.tables.secrets} (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING value`,
      values: [name, proposed],
    }),
  );
  if (row === undefined) throw new Error(`the secret ${name} was not saved`);
  return row.value;
}
