import { toStreamResponse } from "../../protocol/internal.js";
import type { Message, Part, StreamResponse, Task, TaskEvent } from "../../protocol/internal.js";

/** A text that grows, as two numbers: however it was cut into chunks, the same text gives the same numbers. */
interface Rolling {
  low: number;
  high: number;
  length: number;
}

function begin(): Rolling {
  return { low: 0x811c9dc5, high: 0x1b873593, length: 0 };
}

function roll(rolling: Rolling, text: string): Rolling {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    rolling.low = Math.imul(rolling.low ^ unit, 0x01000193);
    rolling.high = Math.imul(rolling.high ^ unit, 0x5bd1e995) + 1;
  }
  rolling.length += text.length;
  return rolling;
}

function written({ low, high, length }: Rolling): string {
  return `${(low >>> 0).toString(36)}${(high >>> 0).toString(36)}+${length}`;
}

/** The text of parts; of a part that is not text, all of it. */
function partsText(parts: readonly Part[]): string {
  return parts.map((part) => part.text ?? JSON.stringify(part)).join("");
}

/**
 * A short text that is the same for the same event in every version of the protocol: its kind, the task, and what
 * it says. Times and metadata do not count.
 */
export function hashEvent({ task, message, statusUpdate, artifactUpdate }: StreamResponse): string {
  if (task !== undefined) return digestTask(task);
  if (statusUpdate !== undefined) {
    const { taskId, status } = statusUpdate;
    const said = status.message === undefined ? "" : partsText(status.message.parts);
    return written(roll(begin(), ["status", taskId, status.state, said].join("\n")));
  }
  if (artifactUpdate !== undefined) {
    const { taskId, artifact, append = false, lastChunk = false } = artifactUpdate;
    const head = ["artifact", taskId, artifact.artifactId, append, lastChunk].join("\n");
    return written(roll(roll(begin(), head), `\n${partsText(artifact.parts)}`));
  }
  return written(roll(begin(), partsText(message?.parts ?? [])));
}

/** A short text that is the same for the same task in every version: its state, its messages and its artifacts' text. */
export function digestTask({ status, history = [], artifacts = [] }: Task): string {
  const digester = new TaskDigester();
  digester.enter(status.state, [...history, ...(status.message ? [status.message] : [])]);
  for (const { artifactId, parts } of artifacts) digester.grow(artifactId, parts, false);
  return digester.digest();
}

/** The digest of a task as its log grows. An event costs by its own size, not by that of the task. */
export class TaskDigester {
  readonly #artifacts: Map<string, Rolling> = new Map();
  readonly #messages: Rolling = begin();
  #state = "";

  enter(state: string, messages: readonly Message[] = []): void {
    this.#state = state;
    for (const { messageId } of messages) roll(this.#messages, `${messageId}\n`);
  }

  grow(artifactId: string, parts: readonly Part[], append: boolean): void {
    const grown = append ? (this.#artifacts.get(artifactId) ?? begin()) : begin();
    this.#artifacts.set(artifactId, roll(grown, partsText(parts)));
  }

  apply(event: TaskEvent): void {
    if (event.kind === "message-added") this.enter(this.#state, [event.message]);
    else if (event.kind === "artifact-updated") {
      this.grow(event.artifact.artifactId, event.artifact.parts, event.append === true);
    } else {
      const { state, message } = event.status;
      this.enter(state, message === undefined ? [] : [message]);
    }
  }

  digest(): string {
    const artifacts = Array.from(this.#artifacts, ([id, text]) => `${id}=${written(text)}`);
    return [this.#state, written(this.#messages), ...artifacts].join(" ");
  }
}

/** What a stream shows of an event as `hashEvent` has it; `undefined` for what no stream shows. */
export function hashShown(event: TaskEvent, taskId: string): string | undefined {
  if (event.kind === "task-created") return undefined;
  const response = toStreamResponse(event, { id: taskId });
  return response && hashEvent(response);
}
