import type { Artifact, Message, StreamResponse, Task } from "@parley/a2a";
import type { LogEntry, TaskEvent } from "@parley/a2a/store";

/**
 * The log of a task of somebody else's agent, made of the events of its streams: such a task has no log that could be
 * read. A snapshot, with which a stream begins again, adds only what was not there.
 */
export class StreamLog {
  readonly entries: LogEntry[] = [];
  readonly #messages = new Set<string>();
  readonly #artifacts = new Map<string, number>();
  #status = "";

  /** Adds what a stream brought, and returns the entries that it made. */
  add(event: StreamResponse, at: number): readonly LogEntry[] {
    const begin = this.entries.length;
    if (event.task !== undefined) this.#addTask(event.task, at);
    else if (event.message !== undefined) this.#addMessage(event.message, at);
    else if (event.statusUpdate !== undefined) {
      const { status, metadata } = event.statusUpdate;
      if (status.message) this.#messages.add(status.message.messageId);
      this.#push({ kind: "status-changed", status, ...(metadata && { metadata }) }, at);
      this.#status = keyOf(status);
    } else if (event.artifactUpdate !== undefined) {
      const { artifact, append, lastChunk, metadata } = event.artifactUpdate;
      const known = append === true ? (this.#artifacts.get(artifact.artifactId) ?? 0) : 0;
      this.#artifacts.set(artifact.artifactId, known + artifact.parts.length);
      this.#push(
        {
          kind: "artifact-updated",
          artifact,
          ...(append !== undefined && { append }),
          ...(lastChunk !== undefined && { lastChunk }),
          ...(metadata && { metadata }),
        },
        at,
      );
    }
    return this.entries.slice(begin);
  }

  /** Adds a message that this side has sent. */
  sent(message: Message, at: number): void {
    this.#addMessage(message, at);
  }

  #addTask(
    { id, contextId, status, history = [], artifacts = [], metadata }: Task,
    at: number,
  ): void {
    if (this.entries.length === 0 || !this.entries.some(isCreation)) {
      const { message: _, ...first } = status;
      const created = { kind: "task-created" as const, taskId: id, contextId: contextId ?? "" };
      this.#push({ ...created, status: first, ...(metadata && { metadata }) }, at);
      if (status.message === undefined) this.#status = keyOf(status);
    }
    for (const message of history) this.#addMessage(message, at);
    for (const artifact of artifacts) this.#addArtifact(artifact, at);
    if (this.#status === keyOf(status)) return;
    this.#status = keyOf(status);
    if (status.message) this.#messages.add(status.message.messageId);
    this.#push({ kind: "status-changed", status, ...(metadata && { metadata }) }, at);
  }

  #addMessage(message: Message, at: number): void {
    if (this.#messages.has(message.messageId)) return;
    this.#messages.add(message.messageId);
    this.#push({ kind: "message-added", message }, at);
  }

  #addArtifact(artifact: Artifact, at: number): void {
    const parts = artifact.parts.filter((part) => part.text !== "");
    if ((this.#artifacts.get(artifact.artifactId) ?? -1) >= parts.length) return;
    this.#artifacts.set(artifact.artifactId, parts.length);
    this.#push({ kind: "artifact-updated", artifact }, at);
  }

  #push(event: TaskEvent, at: number): void {
    this.entries.push({ sequence: this.entries.length + 1, at, event });
  }
}

function isCreation({ event }: LogEntry): boolean {
  return event.kind === "task-created";
}

function keyOf({ state, timestamp, message }: Task["status"]): string {
  return `${state} ${timestamp ?? ""} ${message?.messageId ?? ""}`;
}
