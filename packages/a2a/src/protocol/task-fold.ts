import { A2AError } from "./a2a-error.js";
import { GrowingTask } from "./growing-task.js";
import type { TaskCreated, TaskEvent } from "./task-event.js";
import { describeState, isTerminal } from "./task-state.js";
import type { Task } from "./task.js";

/** The fold of a task's log. */
export class TaskFold extends GrowingTask {
  /** Starts from a log's first event, or from a task that was folded before. */
  constructor(start: TaskCreated | Task) {
    super("kind" in start ? { ...start, id: start.taskId } : start);
  }

  /**
   * Adds one event. Throws when the task has ended, for a second creation, and for the state
   * `TASK_STATE_UNSPECIFIED`; the task then stays as it was.
   */
  apply(event: TaskEvent): void {
    const { state } = this.status;
    if (isTerminal(state)) {
      throw new A2AError(
        "UNSUPPORTED_OPERATION",
        `task ${this.id} is ${describeState(state)}; nothing can be added to it`,
        { details: { metadata: { taskId: this.id } } },
      );
    }
    switch (event.kind) {
      case "task-created":
        throw new A2AError("INTERNAL", `task ${this.id} exists already`);
      case "message-added":
        this.addMessage(event.message);
        return;
      case "status-changed":
        if (event.status.state === "TASK_STATE_UNSPECIFIED") {
          throw new A2AError("INTERNAL", `task ${this.id} cannot change to an unspecified state`);
        }
        this.changeStatus(event);
        return;
      case "artifact-updated":
        this.updateArtifact(event);
        return;
    }
  }
}

/** Folds a whole log. The first event must be the task's creation. */
export function foldTask(events: Iterable<TaskEvent>): Task {
  let fold: TaskFold | undefined;
  for (const event of events) {
    if (fold !== undefined) fold.apply(event);
    else if (event.kind === "task-created") fold = new TaskFold(event);
    else
      throw new A2AError(
        "INTERNAL",
        `a task's log must begin with task-created, not with ${event.kind}`,
      );
  }
  if (fold === undefined) throw new A2AError("INTERNAL", "a task's log is empty");
  return fold.task();
}
