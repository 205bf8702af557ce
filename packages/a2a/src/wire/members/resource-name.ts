/** The ids in a resource name, by which the 0.3 protobuf addresses tasks and push configurations. */
export interface ResourceIds {
  readonly taskId: string;
  readonly configId?: string;
}

const taskPrefix = "tasks/";
const configsSegment = "/pushNotificationConfigs";

/** Until 0.2.4 the configurations of a task were called `pushNotifications`. */
const pattern = /^tasks\/(.*?)(?:\/pushNotification(?:Config)?s(?:\/(.*))?)?$/s;

/**
 * Parses `tasks/{task}` or `tasks/{task}/pushNotificationConfigs/{config}`; `undefined` for anything
 * else. Does not check the ids.
 */
export function parseResourceName(name: unknown): ResourceIds | undefined {
  const [, taskId = "", configId = ""] = (typeof name === "string" && pattern.exec(name)) || [];
  if (taskId === "") return undefined;
  return { taskId, ...(configId !== "" && { configId }) };
}

export function taskName(taskId: string): string {
  return `${taskPrefix}${taskId}`;
}

export function configName(taskId: string, configId: string): string {
  return `${taskPrefix}${taskId}${configsSegment}/${configId}`;
}
