import { isTerminal } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";
import type { LiveTask } from "../log/live-task.js";
import type { RunEnvironment } from "../run-environment.js";
import { timestampOf } from "../timestamp.js";

/** Fails a task that no run works on, if its state is still such that it has to. Default: unless it has ended. */
export async function failTask(
  { clock, newId }: RunEnvironment,
  { live, epoch }: { readonly live: LiveTask; readonly epoch: number },
  reason: string,
  isToFail: (state: TaskState) => boolean = (state) => !isTerminal(state),
): Promise<void> {
  const { publicId: taskId, contextId } = live.identity;
  const message = {
    messageId: newId(),
    role: "ROLE_AGENT",
    parts: [{ text: reason }],
    taskId,
    contextId,
  } as const;
  const state = "TASK_STATE_FAILED";
  const status = { state, message, timestamp: timestampOf(clock.now()) } as const;
  const failed = { kind: "status-changed", status } as const;
  await live.write((now) => (isToFail(now) ? { events: [failed], node: null } : undefined), {
    epoch,
  });
}
