import type { Command } from "../../command.js";
import { connectOptions } from "../../connect/connect-options.js";
import { withAgent } from "../../connect/with-agent.js";
import { defineCommand } from "../../options/define-command.js";
import { showTask } from "../../render/show-task.js";

/** Cancels a task. */
export const taskCancelCommand: Command = defineCommand({
  name: "task cancel",
  args: "ID",
  takes: { min: 1, max: 1 },
  about: ["Asks the agent to cancel a task, and shows the state of the task."],
  options: ["stream", ...connectOptions],
  examples: ["task cancel -a localhost:4100 TASK_ID"],
  async run(invocation) {
    const [id = ""] = invocation.positionals;
    await withAgent(invocation, async ({ agent, signal }) => {
      showTask(invocation, await agent.cancel(id, { signal }));
    });
  },
});
