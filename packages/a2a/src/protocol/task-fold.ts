import { A2AError } from "./a2a-error.js";
import { appendChunk, growingFrom } from "./content/growing-artifact.js";
import type { GrowingArtifact } from "./content/growing-artifact.js";
import type { JsonObject } from "./json.js";
import type { Message } from "./message.js";
import { addTransition } from "./extensions/state-transitions.js";
import { statusDetailsUri } from "./extensions/status-details.js";
import { unknownValuesUri } from "./extensions/unknown-values.js";
import type { ArtifactUpdated, StatusChanged, TaskCreated, TaskEvent } from "./task-event.js";
import { describeState, isTerminal } from "./task-state.js";
import type { Task, TaskStatus } from "./task.js";

/**
 * The fold of a task's log. The cost of `apply` depends on the size of the event, not of the task.
 * `task()` copies the task, so that later events do not change it.
 */
export class TaskFold {
  readonly #id: string;
  readonly #contextId: string | undefined;
  readonly #artifacts: Map<string, GrowingArtifact> = new Map();
  readonly #history: Message[];
  #status: TaskStatus;
  #metadata: JsonObject | undefined;

  /** Starts from a log's first event, or from a task that was folded before. */
  constructor(start: TaskCreated | Task) {
    const isEvent = "kind" in start;
    this.#id = isEvent ? start.taskId : start.id;
    this.#contextId = start.contextId;
    this.#status = start.status;
    this.#metadata = start.metadata;
    this.#history = isEvent ? [] : [...(start.history ?? [])];
    for (const artifact of isEvent ? [] : (start.artifacts ?? [])) {
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

  /**
   * Adds one event. Throws when the task has ended, for a second creation, and for the state
   * `TASK_STATE_UNSPECIFIED`; the task then stays as it was.
   */
  apply(event: TaskEvent): void {
    if (isTerminal(this.#status.state)) {
      const state = describeState(this.#status.state);
      throw new A2AError(
        "UNSUPPORTED_OPERATION",
        `task ${this.#id} is ${state}; nothing can be added to it`,
        { details: { metadata: { taskId: this.#id } } },
      );
    }
    switch (event.kind) {
      case "task-created":
        throw new A2AError("INTERNAL", `task ${this.#id} exists already`);
      case "message-added":
        this.#retireStatusMessage();
        this.#history.push(event.message);
        return;
      case "status-changed":
        this.#changeStatus(event);
        return;
      case "artifact-updated":
        this.#updateArtifact(event);
        return;
    }
  }

  /** The task as it is now. */
  task(): Task {
    return {
      id: this.#id,
      ...(this.#contextId !== undefined && { contextId: this.#contextId }),
      status: this.#status,
      ...(this.#artifacts.size > 0 && {
        artifacts: Array.from(this.#artifacts.values(), growingFrom),
      }),
      ...(this.#history.length > 0 && { history: [...this.#history] }),
      ...(this.#metadata !== undefined && { metadata: this.#metadata }),
    };
  }

  #changeStatus(event: StatusChanged): void {
    if (event.status.state === "TASK_STATE_UNSPECIFIED") {
      throw new A2AError("INTERNAL", `task ${this.#id} cannot change to an unspecified state`);
    }
    this.#retireStatusMessage();
    if (event.status.state !== this.#status.state) {
      this.#retireStatusDetails();
      this.#metadata = addTransition(this.#metadata, event.status);
    }
    this.#status = event.status;
    if (event.metadata !== undefined) this.#metadata = { ...this.#metadata, ...event.metadata };
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

  #updateArtifact({ artifact, append }: ArtifactUpdated): void {
    const { artifactId } = artifact;
    const existing = append === true ? this.#artifacts.get(artifactId) : undefined;
    this.#artifacts.set(
      artifactId,
      existing ? appendChunk(existing, artifact) : growingFrom(artifact),
    );
  }
}

/** Folds a whole log. The first event must be the task's creation. */
export function foldTask(events: Iterable<TaskEvent>): Task {
  let fold: TaskFold | undefined;
  for (const event of events) {
    if (fold !== undefined) fold.apply(event);
    else if (event.kind === "task-created") fold = new TaskFold(event);
    else
      throw new A2AError(
        "INTERNAL",
        `a task's log must begin with task-created, not with ${event.kind}`,
      );
  }
  if (fold === undefined) throw new A2AError("INTERNAL", "a task's log is empty");
  return fold.task();
}
