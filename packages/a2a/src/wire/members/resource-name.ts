/** Resource names, by which the 0.3 protobuf addresses tasks and push configurations. */

export interface ResourceIds {
  readonly taskId: string;
  readonly configId?: string;
}

const tasks = "tasks/";
const configs = "/pushNotificationConfigs";

/** Until 0.2.4 the configurations of a task were its `pushNotifications`. */
const pattern = /^tasks\/(.*?)(?:\/pushNotification(?:Config)?s(?:\/(.*))?)?$/s;

/**
 * `tasks/{task}` or `tasks/{task}/pushNotificationConfigs/{config}`; `undefined` for anything else. The
 * ids are as they were written, for the reader to check.
 */
export function parseResourceName(name: unknown): ResourceIds | undefined {
  const [, taskId = "", configId = ""] = (typeof name === "string" && pattern.exec(name)) || [];
  if (taskId === "") return undefined;
  return { taskId, ...(configId !== "" && { configId }) };
}

export function taskName(taskId: string): string {
  return `${tasks}${taskId}`;
}

export function configName(taskId: string, configId: string): string {
  return `${tasks}${taskId}${configs}/${configId}`;
}
