import type { Artifact } from "../artifact.js";
import type { Message } from "../message.js";

/**
 * The text of a message or an artifact: its text parts, without files and data. The parts of a message
 * stand on lines of their own. The parts of an artifact run on, because a stream delivers one text in many.
 */
export function textOf(source: Message | Artifact | Pick<Message, "parts">): string {
  const texts: string[] = [];
  for (const { text } of source.parts) if (text !== undefined) texts.push(text);
  return texts.join("artifactId" in source ? "" : "\n");
}
