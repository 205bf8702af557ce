import { A2AError, describeState, isInterrupted, textOf } from "../protocol/internal.js";
import type { Task, TaskState } from "../protocol/internal.js";

/**
 * Says that a task did not complete, where only a completed one has the answer: it failed, was canceled or
 * rejected, or the agent asks something. `task.status.state` says which. The code is `INTERNAL` for a failed
 * task and `UNSUPPORTED_OPERATION` for all others.
 */
export class TaskNotCompleted extends A2AError {
  /** The task as it was last seen. */
  readonly task: Task;
  /** The text that the agent produced before. */
  readonly text: string;

  constructor(message: string, task: Task, text: string) {
    const { state } = task.status;
    const code = state === "TASK_STATE_FAILED" ? "INTERNAL" : "UNSUPPORTED_OPERATION";
    super(code, message, { details: { metadata: { taskId: task.id, state } } });
    this.task = task;
    this.text = text;
  }

  /** True also for an error of another copy of this library, unlike `instanceof`. */
  static override is(value: unknown): value is TaskNotCompleted {
    return A2AError.is(value) && "task" in value;
  }
}

const maxQuoted = 500;

const ends: Partial<Readonly<Record<TaskState, string>>> = {
  TASK_STATE_FAILED: "failed",
  TASK_STATE_CANCELED: "was canceled",
  TASK_STATE_REJECTED: "was rejected",
};

/** The error for a task of which `text()` has no answer: quotes what the agent says, and says what would help. */
export function notCompleted(agent: string, task: Task, text: string): TaskNotCompleted {
  const { state, message } = task.status;
  const said = message === undefined ? "" : textOf(message);
  const cut = said.length > maxQuoted ? `${said.slice(0, maxQuoted).toWellFormed()}…` : said;
  const quoted = JSON.stringify(cut);
  const subject = `task ${task.id} of ${agent}`;
  const end = ends[state];
  if (end !== undefined) {
    const reason = said === "" ? "; the agent gives no reason" : `: ${quoted}`;
    return new TaskNotCompleted(`${subject} ${end}${reason}`, task, text);
  }
  if (!isInterrupted(state)) {
    const found = `${subject} is ${describeState(state)}; without returnImmediately, text() waits for it`;
    return new TaskNotCompleted(found, task, text);
  }
  const isInput = state === "TASK_STATE_INPUT_REQUIRED";
  const answer = isInput ? "onInputRequired" : "onAuthRequired";
  return new TaskNotCompleted(
    `${agent} asks for ${isInput ? "input" : "authorization"}: ${quoted}; answer with the option ${answer}, ` +
      `with reply() of a task from start(), or by a message with taskId ${JSON.stringify(task.id)}`,
    task,
    text,
  );
}
