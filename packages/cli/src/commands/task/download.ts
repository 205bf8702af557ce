import type { Command } from "../../command.js";
import { connectOptions } from "../../connect/connect-options.js";
import { nextCommand, sameCommand } from "../../connect/next-command.js";
import { withAgent } from "../../connect/with-agent.js";
import { defineCommand } from "../../options/define-command.js";
import { textLine } from "../../output/text-form.js";
import { writeDocument } from "../../output/write-json.js";
import { idLines } from "../../render/task-text.js";
import { filesOf, saveFile } from "../../send/save-files.js";

/** Writes the artifacts of a task into files. */
export const taskDownloadCommand: Command = defineCommand({
  name: "task download",
  args: "ID",
  takes: { min: 1, max: 1 },
  about: [
    "Writes each part of the task's artifacts into a file: files by their names, text and data by the names of their",
    "artifacts. Files that are there already are not replaced without --force. Links are not followed, but shown.",
  ],
  options: ["directory", "force", ...connectOptions],
  examples: ["task download -a localhost:4100 TASK_ID -d results"],
  async run(invocation) {
    const { values, positionals, output, format } = invocation;
    const [id = ""] = positionals;
    const task = await withAgent(invocation, ({ agent, signal }) => agent.task(id, { signal }));
    const { files, links } = filesOf(task.artifacts ?? []);
    const saved: string[] = [];
    const hint = sameCommand(invocation, "--force", "force");
    const how = { folder: values.directory, force: values.force, hint };
    for (const file of files) saved.push(await saveFile(file, how));
    if (format === "json") {
      writeDocument(output.stdout, {
        taskId: task.id,
        contextId: task.contextId,
        state: task.status.state,
        files: saved,
        links,
      });
      return;
    }
    const { id: found, contextId = "", status } = task;
    output.stdout.write(idLines(found, contextId, status.state));
    for (const path of saved) output.stdout.write(textLine("File", path));
    for (const link of links) output.stdout.write(textLine("Link", link));
    const next = nextCommand(invocation, { ...task, state: status.state });
    if (next !== undefined) output.stdout.write(textLine("Next", next));
  },
});
