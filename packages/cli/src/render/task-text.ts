import type { Artifact, Message, Task } from "@parley/a2a";
import { textBlock, textLine } from "../output/text-form.js";
import { partsText } from "./parts-text.js";

/** How much of a task is shown. */
export interface TaskTextOptions {
  /** The command that continues. */
  readonly next?: string | undefined;
  /** Also the messages of the task. */
  readonly withHistory?: boolean;
  /** Also times and metadata. */
  readonly verbose?: boolean;
}

/** A task as text: its ids and its state, what the agent says, its artifacts, and how to go on. */
export function taskText(task: Task, options: TaskTextOptions = {}): string {
  const { next, verbose = false } = options;
  const { id, contextId = "", status, artifacts = [], history = [], metadata } = task;
  return [
    idLines(id, contextId, status.state),
    verbose && status.timestamp !== undefined ? textLine("Time", status.timestamp) : "",
    verbose && metadata !== undefined
      ? textBlock("Metadata", JSON.stringify(metadata, null, 2))
      : "",
    ...(options.withHistory === true || verbose ? history.map(historyText) : []),
    status.message === undefined ? "" : messageText("Message", status.message),
    ...artifacts.map(artifactText),
    next === undefined ? "" : textLine("Next", next),
  ].join("");
}

/** The lines that every command shows that touches a task. */
export function idLines(id: string, contextId: string, state: string): string {
  return textLine("Task ID", id) + textLine("Context ID", contextId) + textLine("State", state);
}

/** A message with its parts. */
export function messageText(label: string, { messageId, parts }: Message): string {
  return textLine(label, messageId) + partsText(parts);
}

function historyText(message: Message): string {
  return messageText(message.role === "ROLE_USER" ? "User message" : "Agent message", message);
}

function artifactText(artifact: Artifact): string {
  return artifactLine(artifact) + partsText(artifact.parts);
}

/** The line that names an artifact. */
export function artifactLine({ artifactId, name }: Artifact): string {
  return textLine(
    "Artifact",
    name === undefined || name === artifactId ? artifactId : `${artifactId} (${name})`,
  );
}
