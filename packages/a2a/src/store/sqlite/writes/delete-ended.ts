import { isTerminal, taskStates } from "../../../protocol/internal.js";
import { deleteCheckpoint } from "../statements/checkpoints.js";
import { pushConfigs } from "../statements/counters.js";
import { selectEnded } from "../statements/ended-tasks.js";
import { deleteKeysOf } from "../statements/idempotency-keys.js";
import { deleteLog } from "../statements/log.js";
import { deleteMessageIds } from "../statements/message-ids.js";
import { deletePushConfigs } from "../statements/push-configs.js";
import { deleteScopeIfEmpty } from "../statements/scopes.js";
import { deleteTask } from "../statements/tasks.js";
import type { WriteSession } from "./write-session.js";

const terminalStates = Array.from(taskStates.keys()).filter((number) =>
  isTerminal(taskStates[number] ?? "TASK_STATE_UNSPECIFIED"),
);

/** Deletes tasks that ended before a time, with all their rows in other tables. Returns how many. */
export function deleteEnded(session: WriteSession, before: number, limit: number): number {
  const { db } = session;
  session.flush();
  const ended = selectEnded(db, { states: terminalStates, before, limit });
  for (const { task, scope, state, bytes, statusAt } of ended) {
    deleteLog(db, task);
    deleteCheckpoint(db, task);
    deleteMessageIds(db, task);
    deleteKeysOf(db, task);
    const configBytes = deletePushConfigs(db, task);
    deleteTask(db, task);
    session.count(scope, state, { tasks: -1, bytes: -bytes, at: statusAt });
    if (configBytes > 0) session.count(scope, pushConfigs, { tasks: 0, bytes: -configBytes });
  }
  session.forgetRows();
  for (const scope of new Set(ended.map((task) => task.scope))) deleteScopeIfEmpty(db, scope);
  return ended.length;
}
