import { A2AError } from "../../protocol/internal.js";
import { publicTaskId } from "./task-identity.js";

/** The store does not have a task that this node has read from it: it was deleted, or a failover has lost all of it. */
export class TaskGone extends A2AError {
  constructor(taskId: string) {
    super("TASK_NOT_FOUND", `task ${publicTaskId(taskId)} has been deleted`);
  }
}
