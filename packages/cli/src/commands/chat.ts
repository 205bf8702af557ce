import { createInterface } from "node:readline";
import { A2AError } from "@parley/a2a";
import type { AgentEvent, Content } from "@parley/a2a";
import type { RemoteAgent } from "@parley/a2a/client";
import { Thread } from "../chat/thread.js";
import type { Command } from "../command.js";
import { connectOptions } from "../connect/connect-options.js";
import { withAgent } from "../connect/with-agent.js";
import { defineCommand } from "../options/define-command.js";
import type { Invocation } from "../options/define-command.js";
import type { ConnectOption } from "../connect/connect-options.js";
import { printable, textLine } from "../output/text-form.js";
import { showEvents } from "../render/show-events.js";
import { readContent } from "../send/read-content.js";
import { UsageError } from "../usage-error.js";

/** Talks with an agent. */
export const chatCommand: Command = defineCommand({
  name: "chat",
  about: [
    "Sends each line that you type, and shows the answer while it comes. The context goes on from line to line, and so does a",
    "task that waits for you. /file PATH sends a file with the next line, /new begins another context, /quit ends.",
    "Without a terminal, each line of standard input is a message, and the answers have the form of `send --stream`.",
  ],
  options: ["context-id", "task-id", "poll-interval", ...connectOptions],
  examples: ["chat -a localhost:4100", "chat -a localhost:4100 < questions.txt"],
  async run(invocation) {
    const { values, output } = invocation;
    const isTerminal = output.stdout.isTTY === true && process.stdin.isTTY === true;
    await withAgent(invocation, async ({ agent, signal }) => {
      const talk = { agent, signal, invocation, isTerminal };
      const name = printable(agent.card.name).replaceAll("\n", " ");
      if (isTerminal) output.stdout.write(`${name}. /help shows what you can do.\n`);
      await converse(talk, new Thread(values["context-id"], values["task-id"]));
    });
  },
});

interface Talk {
  readonly agent: RemoteAgent;
  readonly signal: AbortSignal;
  readonly invocation: Invocation<ConnectOption>;
  readonly isTerminal: boolean;
}

async function converse(talk: Talk, first: Thread): Promise<void> {
  const { invocation, isTerminal } = talk;
  const { stdout } = invocation.output;
  let thread = first;
  let files: readonly string[] = [];
  const lines = createInterface({
    input: process.stdin,
    ...(isTerminal && { output: process.stdout }),
  });
  lines.setPrompt("> ");
  lines.once("SIGINT", () => lines.close());
  if (isTerminal) lines.prompt();
  for await (const line of lines) {
    const [, command, argument = ""] = /^\/(\w+)\s*(.*)$/.exec(line) ?? [];
    if (command === "quit" || command === "exit") break;
    if (command === "new") thread = new Thread();
    else if (command === "file" && argument !== "") files = [...files, argument];
    else if (command !== undefined && isTerminal) stdout.write(help);
    else if (line.trim() !== "") {
      await take(talk, thread, line, files);
      files = [];
    }
    if (isTerminal) lines.prompt();
  }
  lines.close();
}

const help =
  "/file PATH sends a file with the next line, /new begins another context, /quit ends.\n";

/** Takes one turn. At a terminal an error ends the turn; elsewhere it ends the command. */
async function take(
  talk: Talk,
  thread: Thread,
  line: string,
  files: readonly string[],
): Promise<void> {
  const { invocation, isTerminal } = talk;
  try {
    const given = files.map((value) => ({ name: "file" as const, value }));
    const content = await readContent(line, given, invocation.hint);
    await answer(talk, thread, content);
  } catch (error) {
    const isExpected = A2AError.is(error) || error instanceof UsageError;
    if (!isTerminal || !isExpected || talk.signal.aborted) throw error;
    invocation.output.stderr.write(textLine("Error", error.message));
  }
}

async function answer(talk: Talk, thread: Thread, content: Content): Promise<void> {
  const { agent, signal, invocation, isTerminal } = talk;
  const events = noted(agent.stream(content, { ...thread.next, signal }), thread);
  if (!isTerminal || invocation.format === "json") {
    await showEvents(invocation, events);
    return;
  }
  const { ChatView } = await import("../chat/chat-view.js");
  using view = new ChatView(invocation.output);
  for await (const event of events) view.show(event);
}

async function* noted(
  events: AsyncIterable<AgentEvent>,
  thread: Thread,
): AsyncGenerator<AgentEvent, void, void> {
  for await (const event of events) {
    thread.note(event);
    yield event;
  }
}
