import { textOf } from "@parley/a2a";
import type { Message, RunContext, Task } from "@parley/a2a";

/** A message of a chat, as models take them. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** How many earlier tasks of the context, and how many characters of them, the model gets. */
const maxEarlierTasks = 50;
const maxEarlierLength = 200_000;

/** The conversation of a context up to the message that this run answers. The oldest of it is left out where it is too long. */
export async function chatMessages(
  context: RunContext,
  system?: string,
): Promise<readonly ChatMessage[]> {
  const earlier = (await context.earlierTasks(maxEarlierTasks))
    .filter(({ status }) => status.state === "TASK_STATE_COMPLETED")
    .toReversed()
    .flatMap(messagesOfTask);
  const before = lastOf([...earlier, ...context.history.map(messageOf)], maxEarlierLength);
  return [
    ...(system === undefined ? [] : [{ role: "system", content: system } as const]),
    ...before.filter(({ content }) => content !== ""),
    { role: "user", content: context.text },
  ];
}

function messagesOfTask({ history = [], artifacts = [], status }: Task): readonly ChatMessage[] {
  const answer = artifacts.map(textOf).join("\n");
  const said = status.message === undefined ? "" : textOf(status.message);
  return [...history.map(messageOf), { role: "assistant", content: answer || said }];
}

function messageOf(message: Message): ChatMessage {
  return {
    role: message.role === "ROLE_AGENT" ? "assistant" : "user",
    content: textOf(message),
  };
}

/** The last messages that together are no longer than a length. */
function lastOf(messages: readonly ChatMessage[], maxLength: number): readonly ChatMessage[] {
  let length = 0;
  const first = messages.findLastIndex(({ content }) => (length += content.length) > maxLength);
  return messages.slice(first + 1);
}
