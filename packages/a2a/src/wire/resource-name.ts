/** Resource names, by which the 0.3 protobuf addresses tasks and push configurations. */

export interface ResourceIds {
  readonly taskId: string;
  readonly configId?: string;
}

const tasks = "tasks/";
const configs = "/pushNotificationConfigs";

/**
 * `tasks/{task}` or `tasks/{task}/pushNotificationConfigs/{config}`; `undefined` for anything else. The
 * ids are as they were written, for the reader to check.
 */
export function parseResourceName(name: unknown): ResourceIds | undefined {
  if (typeof name !== "string" || !name.startsWith(tasks)) return undefined;
  const separator = name.indexOf(`${configs}/`, tasks.length);
  const end = separator === -1 && name.endsWith(configs) ? -configs.length : undefined;
  const taskId = name.slice(tasks.length, separator === -1 ? end : separator);
  const configId = separator === -1 ? "" : name.slice(separator + configs.length + 1);
  if (taskId === "") return undefined;
  return { taskId, ...(configId !== "" && { configId }) };
}

export function taskName(taskId: string): string {
  return `${tasks}${taskId}`;
}

export function configName(taskId: string, configId: string): string {
  return `${tasks}${taskId}${configs}/${configId}`;
}
