import "../../list/list.css";
import "./task.css";
import type { ComponentChild } from "preact";
import { route } from "../../router/route.js";
import { TaskList } from "./task-list.js";
import { TaskView } from "./task-view.js";

/** `#/tasks` lists tasks; `#/tasks/ID?seq=41&vs=12` is one of them at a moment of its life. */
export function Screen(): ComponentChild {
  const taskId = route.value.path[1];
  return taskId === undefined ? <TaskList /> : <TaskView key={taskId} taskId={taskId} />;
}
