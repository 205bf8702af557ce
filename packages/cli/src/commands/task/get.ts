import type { Command } from "../../command.js";
import { connectOptions } from "../../connect/connect-options.js";
import { withAgent } from "../../connect/with-agent.js";
import { defineCommand } from "../../options/define-command.js";
import { parseCount } from "../../options/parse-count.js";
import { waitVisibly } from "../../output/wait-visibly.js";
import { showTask } from "../../render/show-task.js";
import { settledTask } from "../../send/settled-task.js";

/** Shows a task, perhaps once it has ended. */
export const taskGetCommand: Command = defineCommand({
  name: "task get",
  args: "ID",
  takes: { min: 1, max: 1 },
  about: ["Reads a task once, or with --wait until it has ended or waits for its caller."],
  options: ["wait", "history", "stream", "poll-interval", ...connectOptions],
  examples: [
    "task get -a localhost:4100 TASK_ID",
    "task get -a localhost:4100 TASK_ID --wait --timeout 5m -o json",
  ],
  async run(invocation) {
    const { values, positionals, hint, output } = invocation;
    const [id = ""] = positionals;
    const historyLength = parseCount("--history", values.history, hint);
    const about = historyLength === undefined ? {} : { historyLength };
    await withAgent(invocation, async ({ agent, signal, seen }) => {
      if (values.wait) await waitVisibly(output.stderr, seen, settledTask(agent, id, { signal }));
      const task = await agent.task(id, { ...about, signal });
      showTask(invocation, task, { withHistory: historyLength !== undefined });
    });
  },
});
