import type { Task } from "@parley/a2a";
import type { ConnectOption } from "../connect/connect-options.js";
import { nextCommand } from "../connect/next-command.js";
import type { Invocation } from "../options/define-command.js";
import type { OptionValues } from "../options/option-table.js";
import { writeDocument, writeJsonLine } from "../output/write-json.js";
import { taskText } from "./task-text.js";
import type { TaskTextOptions } from "./task-text.js";

/** Shows a task as the result of a command. */
export function showTask(
  invocation: Invocation<ConnectOption>,
  task: Task,
  options: Pick<TaskTextOptions, "withHistory"> = {},
): void {
  const { output, format, values } = invocation;
  const { stream = false } = values as Partial<OptionValues<"stream">>;
  if (format === "json") {
    if (stream) writeJsonLine(output.stdout, { task });
    else writeDocument(output.stdout, task);
    return;
  }
  const next = nextCommand(invocation, { ...task, state: task.status.state });
  output.stdout.write(taskText(task, { ...options, next, verbose: values.verbose }));
}
