import type { Command } from "../../command.js";
import { connectOptions } from "../../connect/connect-options.js";
import { withAgent } from "../../connect/with-agent.js";
import { defineCommand } from "../../options/define-command.js";
import { waitVisibly } from "../../output/wait-visibly.js";
import { showEvents } from "../../render/show-events.js";
import { showTask } from "../../render/show-task.js";
import { settledTask } from "../../send/settled-task.js";

/** Follows a task. */
export const taskSubscribeCommand: Command = defineCommand({
  name: "task subscribe",
  args: "ID",
  takes: { min: 1, max: 1 },
  about: [
    "Follows a task from its present state until it has ended or waits for its caller. A connection that breaks is",
    "opened again. With -o json and without --stream the result is the task at the end.",
  ],
  options: ["stream", "poll-interval", ...connectOptions],
  examples: [
    "task subscribe -a localhost:4100 TASK_ID",
    "task subscribe -a localhost:4100 TASK_ID -o json --stream",
  ],
  async run(invocation) {
    const { positionals, format, values, output } = invocation;
    const [id = ""] = positionals;
    await withAgent(invocation, async ({ agent, signal, seen }) => {
      if (format === "text" || values.stream) {
        await showEvents(invocation, agent.watch(id, { signal, until: "settled" }));
        return;
      }
      await waitVisibly(output.stderr, seen, settledTask(agent, id, { signal }));
      showTask(invocation, await agent.task(id, { signal }));
    });
  },
});
