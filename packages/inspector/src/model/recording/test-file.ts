import { textOf } from "@parley/a2a";
import type { LogIndex } from "../log/log-index.js";
import { messagesUpTo } from "../task/restart.js";

/** Longer texts are compared by their beginning, so that the file stays readable. */
const textLimit = 2000;

/**
 * A vitest file that sends the caller's messages of a task again, and expects its state and its texts. It is what a bug
 * report becomes: it runs against any agent, of any version.
 */
export function testFileOf(index: LogIndex, agentUrl: string): string {
  const last = index.at(index.length - 1);
  const { state } = last.status;
  const texts = last.artifacts(20).map((artifact) => textOf(artifact.artifact()));
  const messages = messagesUpTo(index, index.length - 1).map(({ parts }) => parts);
  const expectations = texts.flatMap((text, artifact) => {
    if (text === "") return [];
    const [matches, expected] =
      text.length > textLimit ? ["toContain", text.slice(0, textLimit)] : ["toBe", text];
    return [`  expect(textOf(task?.artifacts?.[${artifact}])).${matches}(${literal(expected)});`];
  });
  return `// Saved from task ${oneLine(index.taskId)}.
import { connect, textOf } from "@parley/a2a";
import type { Part, Task } from "@parley/a2a";
import { expect, it } from "vitest";

const url = process.env["AGENT_URL"] ?? ${literal(agentUrl)};

const messages: readonly (readonly Part[])[] = ${literal(messages)};

it("ends as the recorded task did", async () => {
  const agent = await connect(url);
  let task: Task | undefined;
  for (const parts of messages) {
    const answer = await agent.send(parts, task === undefined ? {} : { taskId: task.id });
    task = answer.task;
  }
  expect(task?.status.state).toBe(${literal(state)});
${expectations.join("\n")}
});
`;
}

/** A value as an expression of TypeScript. Line separators and \`</script>\` stay text wherever the file is shown. */
function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`)
    .replaceAll("</", String.raw`<\/`);
}

function oneLine(text: string): string {
  return text.replaceAll(/[^\w.-]/gu, "_").slice(0, 100);
}
