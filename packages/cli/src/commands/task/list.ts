import { taskStates } from "@parley/a2a";
import type { ListTasksRequest, ListTasksResponse, TaskState } from "@parley/a2a";
import type { Command } from "../../command.js";
import { connectOptions } from "../../connect/connect-options.js";
import { quote, sameCommand } from "../../connect/next-command.js";
import { withAgent } from "../../connect/with-agent.js";
import type { OpenedAgent } from "../../connect/with-agent.js";
import { defineCommand } from "../../options/define-command.js";
import { parseCount } from "../../options/parse-count.js";
import { textLine } from "../../output/text-form.js";
import { writeDocument, writeJsonLine } from "../../output/write-json.js";
import { idLines } from "../../render/task-text.js";
import { UsageError } from "../../usage-error.js";

/** Lists tasks. */
export const taskListCommand: Command = defineCommand({
  name: "task list",
  about: ["Lists the caller's tasks, the latest first: one page, or with --all every page."],
  options: [
    "state",
    "context-id",
    "history",
    "page-size",
    "page-token",
    "all",
    "stream",
    ...connectOptions,
  ],
  examples: [
    "task list -a localhost:4100 --state working",
    "task list -a localhost:4100 --all -o json",
  ],
  async run(invocation) {
    const { values, hint, output, format } = invocation;
    const pageSize = parseCount("--page-size", values["page-size"], hint);
    const historyLength = parseCount("--history", values.history, hint);
    const status = parseState(values.state, hint);
    const request: ListTasksRequest = {
      ...(values["context-id"] !== undefined && { contextId: values["context-id"] }),
      ...(status !== undefined && { status }),
      ...(pageSize !== undefined && { pageSize }),
      ...(values["page-token"] !== undefined && { pageToken: values["page-token"] }),
      ...(historyLength !== undefined && { historyLength }),
    };
    const page = await withAgent(invocation, (opened) => listTasks(opened, request, values.all));
    const { tasks, nextPageToken, totalSize } = page;
    if (format === "json") {
      if (!values.stream) writeDocument(output.stdout, page);
      else for (const task of tasks) writeJsonLine(output.stdout, { task });
      return;
    }
    for (const { id, contextId = "", status: now } of tasks) {
      const time = now.timestamp === undefined ? "" : textLine("Time", now.timestamp);
      output.stdout.write(`${idLines(id, contextId, now.state)}${time}\n`);
    }
    output.stdout.write(textLine("Tasks", `${tasks.length} of ${totalSize}`));
    if (nextPageToken === "") return;
    const next = sameCommand(invocation, `--page-token ${quote(nextPageToken)}`, "page-token");
    output.stdout.write(textLine("Next", next));
  },
});

/** One page of tasks, or all pages in one. */
async function listTasks(
  { agent, signal }: OpenedAgent,
  request: ListTasksRequest,
  isAll: boolean,
): Promise<ListTasksResponse> {
  const call = { version: agent.version, signal };
  const first = await agent.service.listTasks(request, call);
  if (!isAll) return first;
  const tasks = [...first.tasks];
  for (let token = first.nextPageToken; token !== "";) {
    const page = await agent.service.listTasks({ ...request, pageToken: token }, call);
    tasks.push(...page.tasks);
    token = page.nextPageToken;
  }
  return { ...first, tasks, nextPageToken: "", pageSize: tasks.length };
}

function parseState(text: string | undefined, hint: string): TaskState | undefined {
  if (text === undefined) return undefined;
  const name = text.toUpperCase().replaceAll("-", "_");
  const found = taskStates.find((one) => one === name || one === `TASK_STATE_${name}`);
  if (found !== undefined) return found;
  const known = taskStates.map((one) => one.slice("TASK_STATE_".length).toLowerCase());
  throw new UsageError(`--state must be one of ${known.join(", ")}, not ${text}`, { hint });
}
