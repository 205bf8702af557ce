import type { Scope } from "../../task-record.js";
import type { Connection } from "../connection.js";
import { NewRows } from "./new-rows.js";

export function newMessageIds(): NewRows {
  return new NewRows("message_ids (task, message_id)");
}

export function findByMessageId(
  db: Connection,
  { tenant, subject, agent }: Scope,
  messageId: string,
): string | undefined {
  return db.get<{ task_id: string }>(
    `SELECT task_id FROM message_ids JOIN tasks USING (task) JOIN scopes USING (scope)
     WHERE message_id = ? AND tenant = ? AND subject = ? AND scopes.agent = ? ORDER BY entry LIMIT 1`,
    messageId,
    tenant,
    subject,
    agent,
  )?.task_id;
}

export function deleteMessageIds(db: Connection, task: number): void {
  db.run("DELETE FROM message_ids WHERE task = ?", task);
}
