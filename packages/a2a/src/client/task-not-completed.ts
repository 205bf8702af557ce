import {
  A2AError,
  describeState,
  failureOf,
  isInterrupted,
  isTerminal,
  textOf,
} from "../protocol/internal.js";
import type { Task, TaskFailure } from "../protocol/internal.js";

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
  /** The code and the details that the agent gave for programs when it failed the task; absent when it gave none. */
  readonly failure: TaskFailure | undefined;

  constructor(message: string, task: Task, text: string) {
    const { state } = task.status;
    const code = state === "TASK_STATE_FAILED" ? "INTERNAL" : "UNSUPPORTED_OPERATION";
    super(code, message, { details: { metadata: { taskId: task.id, state } } });
    this.task = task;
    this.text = text;
    this.failure = failureOf(task);
  }

  /** True also for an error of another copy of this library, unlike `instanceof`. */
  static override is(value: unknown): value is TaskNotCompleted {
    return A2AError.is(value) && "task" in value;
  }
}

const maxQuoted = 500;

/** The error for a task of which `text()` has no answer: quotes what the agent says, and says what would help. */
export function notCompleted(agent: string, task: Task, text: string): TaskNotCompleted {
  return new TaskNotCompleted(describeEnd(agent, task), task, text);
}

function describeEnd(agent: string, { id, status: { state, message } }: Task): string {
  const said = message === undefined ? "" : textOf(message);
  const cut = said.length > maxQuoted ? `${said.slice(0, maxQuoted).toWellFormed()}…` : said;
  const quoted = JSON.stringify(cut);
  const subject = `task ${id} of ${agent}`;
  if (isTerminal(state)) {
    const end = state === "TASK_STATE_FAILED" ? "failed" : `was ${describeState(state)}`;
    return `${subject} ${end}${said === "" ? "; the agent gives no reason" : `: ${quoted}`}`;
  }
  if (!isInterrupted(state)) {
    return `${subject} is ${describeState(state)}; without returnImmediately, text() waits for it`;
  }
  const isInput = state === "TASK_STATE_INPUT_REQUIRED";
  const answer = isInput ? "onInputRequired" : "onAuthRequired";
  return (
    `${agent} asks for ${isInput ? "input" : "authorization"}: ${quoted}; answer with the option ${answer}, ` +
    `with reply() of a task from start(), or by a message with taskId ${JSON.stringify(id)}`
  );
}
