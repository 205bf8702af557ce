import type { PushConfigText } from "../push-config-text.js";
import { pushConfigs } from "../statements/counters.js";
import { deletePushConfigs, savePushConfig, selectBeside } from "../statements/push-configs.js";
import type { OpenHead, WriteSession } from "./write-session.js";

export function saveConfig(
  session: WriteSession,
  head: OpenHead,
  record: Omit<PushConfigText, "taskId">,
): void {
  const { db } = session;
  const before = selectBeside(db, head.task, record.configId).bytes ?? 0;
  savePushConfig(db, head.task, record);
  session.count(head.scope, pushConfigs, { tasks: 0, bytes: record.config.length - before });
  head.listeners = undefined;
}

export function deleteConfig(session: WriteSession, head: OpenHead, configId: string): void {
  const bytes = deletePushConfigs(session.db, head.task, configId);
  if (bytes > 0) session.count(head.scope, pushConfigs, { tasks: 0, bytes: -bytes });
  head.listeners = undefined;
}
