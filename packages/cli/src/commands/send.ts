import type { AgentEvent, SendMessageResponse, SendOptions } from "@parley/a2a";
import type { Command } from "../command.js";
import { connectOptions } from "../connect/connect-options.js";
import { agentFlags, nextCommand, quote } from "../connect/next-command.js";
import { withAgent } from "../connect/with-agent.js";
import { defineCommand } from "../options/define-command.js";
import type { Invocation } from "../options/define-command.js";
import { CliError } from "../output/cli-error.js";
import { textLine } from "../output/text-form.js";
import { waitVisibly } from "../output/wait-visibly.js";
import { writeDocument, writeJsonLine } from "../output/write-json.js";
import { showEvents } from "../render/show-events.js";
import { messageText, taskText } from "../render/task-text.js";
import { parseMetadata, readContent } from "../send/read-content.js";
import { UsageError } from "../usage-error.js";

const options = [
  "text",
  "file",
  "data",
  "media-type",
  "context-id",
  "task-id",
  "metadata",
  "async",
  "wait",
  "stream",
  "poll-interval",
  ...connectOptions,
] as const;

type Sending = Invocation<(typeof options)[number]>;

/** Sends a message. */
export const sendCommand: Command = defineCommand({
  name: "send",
  args: "[TEXT]",
  takes: { min: 0, max: 1 },
  about: [
    "Sends a message to an agent, and waits until the task that it begins has ended or waits for its caller.",
    "TEXT comes first; --text, --file and --data follow in their order.",
  ],
  options,
  examples: [
    'send -a localhost:4100 "echo hello"',
    'send -a localhost:4100 "task write a haiku" --stream',
    'send -a localhost:4100 --text "What is this?" --file photo.jpg -o json',
  ],
  async run(invocation) {
    const { values, positionals, given, hint } = invocation;
    const isAsync = decideAsync(invocation);
    const content = await readContent(positionals[0], given, hint);
    const metadata = parseMetadata(values.metadata, hint);
    const about: SendOptions = {
      ...(values["context-id"] !== undefined && { contextId: values["context-id"] }),
      ...(values["task-id"] !== undefined && { taskId: values["task-id"] }),
      ...(metadata !== undefined && { metadata }),
      ...(isAsync && { returnImmediately: true }),
    };
    await withAgent(invocation, async (opened) => {
      const { agent, signal, seen } = opened;
      const how = { ...about, signal };
      if (values.stream && !isAsync) {
        await showEvents(invocation, checkEvents(agent.stream(content, how), invocation));
        return;
      }
      const sent = await waitVisibly(invocation.output.stderr, seen, agent.send(content, how));
      checkTask(sent.task?.id, invocation);
      show(invocation, sent);
    });
  },
});

/** Whether the command returns at once. What the command line says counts more than the environment. */
function decideAsync({ values, sources, hint }: Sending): boolean {
  if (!values.async || !values.wait) return values.async;
  if (sources.async === sources.wait) {
    throw new UsageError("--async and --wait exclude each other; give one of them", { hint });
  }
  return sources.async === "flag";
}

function show(invocation: Sending, { task, message }: SendMessageResponse): void {
  const { output, format, values } = invocation;
  if (format === "json") {
    const document = task === undefined ? { message } : { task };
    (values.stream ? writeJsonLine : writeDocument)(output.stdout, document);
    return;
  }
  if (task !== undefined) {
    const next = nextCommand(invocation, { ...task, state: task.status.state });
    output.stdout.write(taskText(task, { next, verbose: values.verbose }));
    return;
  }
  const { contextId = "" } = message;
  output.stdout.write(messageText("Message", message));
  if (contextId === "") return;
  const next = `parley send${agentFlags(invocation)} --context-id ${quote(contextId)} "…"`;
  output.stdout.write(textLine("Context ID", contextId) + textLine("Next", next));
}

/** Refuses an agent that has answered the message for one task with another task. */
function checkTask(found: string | undefined, invocation: Sending): void {
  const asked = invocation.values["task-id"];
  if (asked === undefined || found === undefined || found === asked) return;
  const message = `the message was for task ${asked}, but the agent answered with task ${found}`;
  const hint = `parley task get${agentFlags(invocation)} ${quote(found)}`;
  throw new CliError("InvalidAgentResponseError", message, { hint });
}

async function* checkEvents(
  events: AsyncIterable<AgentEvent>,
  invocation: Sending,
): AsyncGenerator<AgentEvent, void, void> {
  for await (const event of events) {
    if (event.kind === "task") checkTask(event.task.id, invocation);
    yield event;
  }
}
