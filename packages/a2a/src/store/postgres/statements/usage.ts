import type { Usage } from "../../usage-store.js";
import type { Place } from "../place.js";

export async function loadUsage(
  { database, tables }: Place,
  subject: string,
  agent: string,
): Promise<Usage> {
  const [usage] = await database.read<Usage>({
    name: "usage",
    text: `SELECT coalesce(sum(tasks), 0)::bigint AS tasks, coalesce(sum(bytes), 0)::bigint AS bytes
      FROM ${tables.scopes} JOIN ${tables.counters} USING (scope) WHERE subject = $1 AND agent = $2`,
    values: [subject, agent],
  });
  return usage ?? { tasks: 0, bytes: 0 };
}
