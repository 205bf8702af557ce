/** Resource names, by which the 0.3 protobuf addresses tasks and push configurations. */

export interface ResourceIds {
  readonly taskId: string;
  readonly configId?: string;
}

const form = /^tasks\/(.+?)(?:\/pushNotificationConfigs(?:\/(.*))?)?$/;

/** `tasks/{task}` or `tasks/{task}/pushNotificationConfigs/{config}`; `undefined` for anything else. */
export function parseResourceName(name: unknown): ResourceIds | undefined {
  const [, taskId, configId] = (typeof name === "string" ? form.exec(name) : null) ?? [];
  if (taskId === undefined) return undefined;
  return { taskId, ...(configId !== undefined && configId !== "" && { configId }) };
}

export function taskName(taskId: string): string {
  return `tasks/${taskId}`;
}

export function configName(taskId: string, configId: string): string {
  return `tasks/${taskId}/pushNotificationConfigs/${configId}`;
}
