import type { Task } from "@parley/a2a";
import type { PushNotification } from "@parley/a2a/server";

const task: Task = {
  id: "t1",
  contextId: "c1",
  status: { state: "TASK_STATE_WORKING", timestamp: "2026-01-02T03:04:05.678Z" },
};

/** A notification of a task at work, to a webhook. */
export function notificationTo(
  url: string,
  more: Partial<PushNotification> = {},
): PushNotification {
  return {
    id: "n1",
    config: { id: "p1", taskId: "t1", url },
    dialect: "1.0",
    event: { statusUpdate: { taskId: "t1", contextId: "c1", status: task.status } },
    sequence: 2,
    attempt: 1,
    task: async () => task,
    ...more,
  };
}

/** A signal that nobody aborts. */
export const patient: AbortSignal = new AbortController().signal;
