import type { JsonObject, Message, Task, TaskStatus } from "@parley/a2a";
import type { ArtifactTrack, ArtifactView } from "./artifact-track.js";

interface Moment {
  readonly taskId: string;
  readonly contextId: string | undefined;
  readonly position: number;
  readonly sequence: number;
  readonly time: number;
  readonly status: TaskStatus;
  readonly metadata: JsonObject | undefined;
  readonly history: readonly Message[];
  readonly historyLength: number;
  readonly artifacts: readonly ArtifactTrack[];
  readonly artifactCount: number;
}

/** A task at one entry of its log. Making one costs nothing but a few searches; what is large is read when asked for. */
export class StateView {
  readonly #moment: Moment;

  constructor(moment: Moment) {
    this.#moment = moment;
  }

  get taskId(): string {
    return this.#moment.taskId;
  }

  get position(): number {
    return this.#moment.position;
  }

  get sequence(): number {
    return this.#moment.sequence;
  }

  /** When the entry was committed: milliseconds since 1970. */
  get time(): number {
    return this.#moment.time;
  }

  get status(): TaskStatus {
    return this.#moment.status;
  }

  get metadata(): JsonObject | undefined {
    return this.#moment.metadata;
  }

  get historyLength(): number {
    return this.#moment.historyLength;
  }

  get artifactCount(): number {
    return this.#moment.artifactCount;
  }

  /** Some messages of the history, oldest first; all of them unless told otherwise. */
  history(from: number = 0, to: number = this.historyLength): readonly Message[] {
    return this.#moment.history.slice(from, Math.min(to, this.historyLength));
  }

  /** The artifact with an index, in the order in which they appeared. */
  artifact(index: number): ArtifactView | undefined {
    return index < this.artifactCount
      ? this.#moment.artifacts[index]?.at(this.#moment.position)
      : undefined;
  }

  /** The first artifacts, at most so many. */
  artifacts(limit: number = this.artifactCount): readonly ArtifactView[] {
    const found: ArtifactView[] = [];
    for (let index = 0; index < Math.min(limit, this.artifactCount); index += 1) {
      const artifact = this.artifact(index);
      if (artifact !== undefined) found.push(artifact);
    }
    return found;
  }

  /** The whole task, copied: for comparisons and for saving, not for every frame. */
  task(): Task {
    const { taskId, contextId, status, metadata } = this.#moment;
    return {
      id: taskId,
      ...(contextId !== undefined && { contextId }),
      status,
      ...(this.artifactCount > 0 && { artifacts: this.artifacts().map((one) => one.artifact()) }),
      ...(this.historyLength > 0 && { history: this.history() }),
      ...(metadata !== undefined && { metadata }),
    };
  }
}
