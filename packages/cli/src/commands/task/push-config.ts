import type { TaskPushNotificationConfig } from "@parley/a2a";
import type { Command } from "../../command.js";
import { connectOptions } from "../../connect/connect-options.js";
import { withAgent } from "../../connect/with-agent.js";
import type { OpenedAgent } from "../../connect/with-agent.js";
import { defineCommand } from "../../options/define-command.js";
import type { Invocation } from "../../options/define-command.js";
import type { ConnectOption } from "../../connect/connect-options.js";
import { textLine } from "../../output/text-form.js";
import { writeDocument } from "../../output/write-json.js";
import { UsageError } from "../../usage-error.js";

const callOf = ({
  agent,
  signal,
}: OpenedAgent): { version: OpenedAgent["agent"]["version"]; signal: AbortSignal } => ({
  version: agent.version,
  signal,
});

/** Registers a webhook for a task. */
export const pushConfigCreateCommand: Command = defineCommand({
  name: "task push-config create",
  args: "TASK_ID",
  takes: { min: 1, max: 1 },
  about: ["Asks the agent to notify a webhook of everything that happens to a task."],
  options: ["url", "id", "token", ...connectOptions],
  examples: ["task push-config create -a localhost:4100 TASK_ID --url https://example.com/hook"],
  async run(invocation) {
    const { values, positionals, hint } = invocation;
    const [taskId = ""] = positionals;
    const { url, id, token } = values;
    if (url === undefined)
      throw new UsageError("--url is missing: the webhook to notify", { hint });
    const config = {
      taskId,
      url,
      ...(id !== undefined && { id }),
      ...(token !== undefined && { token }),
    };
    await withAgent(invocation, async (opened) => {
      const { service } = opened.agent;
      await show(
        invocation,
        await service.createTaskPushNotificationConfig(config, callOf(opened)),
      );
    });
  },
});

/** Shows a webhook of a task. */
export const pushConfigGetCommand: Command = defineCommand({
  name: "task push-config get",
  args: "TASK_ID ID",
  takes: { min: 2, max: 2 },
  about: ["Shows one of the webhooks of a task."],
  options: connectOptions,
  examples: ["task push-config get -a localhost:4100 TASK_ID CONFIG_ID"],
  async run(invocation) {
    const [taskId = "", id = ""] = invocation.positionals;
    await withAgent(invocation, async (opened) => {
      const { service } = opened.agent;
      await show(
        invocation,
        await service.getTaskPushNotificationConfig({ taskId, id }, callOf(opened)),
      );
    });
  },
});

/** Lists the webhooks of a task. */
export const pushConfigListCommand: Command = defineCommand({
  name: "task push-config list",
  args: "TASK_ID",
  takes: { min: 1, max: 1 },
  about: ["Lists the webhooks of a task."],
  options: connectOptions,
  examples: ["task push-config list -a localhost:4100 TASK_ID -o json"],
  async run(invocation) {
    const { positionals, format, output } = invocation;
    const [taskId = ""] = positionals;
    await withAgent(invocation, async (opened) => {
      const { service } = opened.agent;
      const request = { taskId };
      const found = await service.listTaskPushNotificationConfigs(request, callOf(opened));
      if (format === "json") {
        const { codecs } = await import("@parley/a2a/wire");
        const encode = codecs["1.0"].encodeResult.listTaskPushNotificationConfigs;
        writeDocument(output.stdout, encode(found, request));
        return;
      }
      for (const config of found.configs ?? []) output.stdout.write(`${configText(config)}\n`);
      output.stdout.write(textLine("Configurations", String(found.configs?.length ?? 0)));
    });
  },
});

/** Removes a webhook of a task. */
export const pushConfigDeleteCommand: Command = defineCommand({
  name: "task push-config delete",
  args: "TASK_ID ID",
  takes: { min: 2, max: 2 },
  about: ["Removes one of the webhooks of a task."],
  options: connectOptions,
  examples: ["task push-config delete -a localhost:4100 TASK_ID CONFIG_ID"],
  async run(invocation) {
    const { positionals, format, output } = invocation;
    const [taskId = "", id = ""] = positionals;
    await withAgent(invocation, async (opened) => {
      await opened.agent.service.deleteTaskPushNotificationConfig({ taskId, id }, callOf(opened));
      if (format === "json") writeDocument(output.stdout, {});
      else output.stdout.write(textLine("Task ID", taskId) + textLine("Deleted", id));
    });
  },
});

async function show(
  { format, output }: Invocation<ConnectOption>,
  config: TaskPushNotificationConfig,
): Promise<void> {
  if (format === "text") {
    output.stdout.write(configText(config));
    return;
  }
  const { codecs } = await import("@parley/a2a/wire");
  const { taskId = "", id = "" } = config;
  const encode = codecs["1.0"].encodeResult.getTaskPushNotificationConfig;
  writeDocument(output.stdout, encode(config, { taskId, id }));
}

/** A configuration as text. Its token and credentials are secret. */
function configText({
  taskId = "",
  id = "",
  url,
  token,
  authentication,
}: TaskPushNotificationConfig): string {
  return [
    textLine("Task ID", taskId),
    textLine("Configuration ID", id),
    textLine("URL", url),
    ...(token === undefined ? [] : [textLine("Token", "set")]),
    ...(authentication === undefined ? [] : [textLine("Authentication", authentication.scheme)]),
  ].join("");
}
