import type { Interceptor } from "@parley/a2a/client";
import type { Continued } from "./next-command.js";

/** The task that the agent spoke of last; known also when the command fails or is stopped. */
export interface SeenTask {
  task?: Continued;
}

/** An interceptor that notes the task of every answer. */
export function noteTask(seen: SeenTask): Interceptor {
  return {
    operations: ["sendMessage", "sendStreamingMessage", "subscribeToTask", "getTask"],
    after(answer) {
      if (answer.operation === "getTask") {
        seen.task = { ...answer.result, state: answer.result.status.state };
      }
      if (answer.operation === "sendMessage" && answer.result.task !== undefined) {
        seen.task = { ...answer.result.task, state: answer.result.task.status.state };
      }
      if (answer.operation !== "sendStreamingMessage" && answer.operation !== "subscribeToTask")
        return;
      const { task, statusUpdate } = answer.result.response;
      if (task !== undefined) seen.task = { ...task, state: task.status.state };
      if (statusUpdate === undefined) return;
      const { taskId: id, contextId, status } = statusUpdate;
      seen.task = { id, contextId, state: status.state };
    },
  };
}
