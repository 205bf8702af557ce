import { appendChunk, growingFrom } from "./content/growing-artifact.js";
import type { GrowingArtifact } from "./content/growing-artifact.js";
import { addTransition } from "./extensions/state-transitions.js";
import { statusDetailsUri } from "./extensions/status-details.js";
import { unknownValuesUri } from "./extensions/unknown-values.js";
import type { JsonObject } from "./json.js";
import type { Message } from "./message.js";
import type { ArtifactUpdated, StatusChanged } from "./task-event.js";
import type { Task, TaskStatus } from "./task.js";

/**
 * A task that grows by what is told of it, whoever tells it. The cost of a step depends on the size of what is added, not
 * of the task. `task()` copies the task, so that later steps do not change it.
 */
export class GrowingTask {
  readonly id: string;
  readonly #contextId: string | undefined;
  readonly #artifacts: Map<string, GrowingArtifact> = new Map();
  readonly #history: Message[];
  #status: TaskStatus;
  #metadata: JsonObject | undefined;

  constructor({ id, contextId, status, metadata, history = [], artifacts = [] }: Task) {
    this.id = id;
    this.#contextId = contextId;
    this.#status = status;
    this.#metadata = metadata;
    this.#history = [...history];
    for (const artifact of artifacts) {
      this.#artifacts.set(artifact.artifactId, growingFrom(artifact));
    }
  }

  get status(): TaskStatus {
    return this.#status;
  }

  /** How many parts and messages the task has. */
  get size(): number {
    let size = this.#history.length;
    for (const { parts } of this.#artifacts.values()) size += parts.length;
    return size;
  }

  /** The task as it is now. */
  task(): Task {
    return {
      id: this.id,
      ...(this.#contextId !== undefined && { contextId: this.#contextId }),
      status: this.#status,
      ...(this.#artifacts.size > 0 && {
        artifacts: Array.from(this.#artifacts.values(), growingFrom),
      }),
      ...(this.#history.length > 0 && { history: [...this.#history] }),
      ...(this.#metadata !== undefined && { metadata: this.#metadata }),
    };
  }

  addMessage(message: Message): void {
    this.#retireStatusMessage();
    this.#history.push(message);
  }

  changeStatus({ status, metadata }: Pick<StatusChanged, "status" | "metadata">): void {
    this.#retireStatusMessage();
    if (status.state !== this.#status.state) {
      this.#retireStatusDetails();
      this.#metadata = addTransition(this.#metadata, status);
    }
    this.#status = status;
    if (metadata !== undefined) this.#metadata = { ...this.#metadata, ...metadata };
  }

  updateArtifact({ artifact, append }: Pick<ArtifactUpdated, "artifact" | "append">): void {
    const { artifactId } = artifact;
    const existing = append === true ? this.#artifacts.get(artifactId) : undefined;
    this.#artifacts.set(
      artifactId,
      existing ? appendChunk(existing, artifact) : growingFrom(artifact),
    );
  }

  /** Drops progress, error and the name of an unknown state when the state changes: they describe the one they came with. */
  #retireStatusDetails(): void {
    const metadata = this.#metadata ?? {};
    if (!(statusDetailsUri in metadata || unknownValuesUri in metadata)) return;
    const { [statusDetailsUri]: _, [unknownValuesUri]: __, ...rest } = metadata;
    this.#metadata = Object.keys(rest).length > 0 ? rest : undefined;
  }

  /** Moves the status message into the history once something follows it, so that it is there once, in order. */
  #retireStatusMessage(): void {
    const { message, ...status } = this.#status;
    if (message === undefined) return;
    this.#history.push(message);
    this.#status = status;
  }
}
