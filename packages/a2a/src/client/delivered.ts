import { TaskFold } from "../protocol/index.js";
import type { Artifact, Part, StreamResponse, Task } from "../protocol/index.js";

/**
 * What a caller has been told of a task so far. When a stream starts over with the whole task, this
 * tells what of it is new, so that nothing is told twice and nothing is left out.
 */
export class Delivered {
  #fold: TaskFold | undefined;
  #taskId: string | undefined;

  get taskId(): string | undefined {
    return this.#taskId;
  }

  get state(): Task["status"]["state"] | undefined {
    return this.#fold?.status.state;
  }

  /** Notes an event that the caller is told. */
  add(response: StreamResponse): void {
    if (response.task !== undefined) {
      this.#fold = new TaskFold(response.task);
      this.#taskId = response.task.id;
    }
    const { statusUpdate, artifactUpdate } = response;
    const update = statusUpdate ?? artifactUpdate;
    if (update === undefined) return;
    this.#taskId = update.taskId;
    this.#fold ??= new TaskFold({
      id: update.taskId,
      contextId: update.contextId,
      status: { state: "TASK_STATE_WORKING" },
    });
    if (statusUpdate !== undefined) this.#fold.apply({ kind: "status-changed", ...statusUpdate });
    if (artifactUpdate !== undefined) {
      this.#fold.apply({ kind: "artifact-updated", ...artifactUpdate });
    }
  }

  /** The events that lead from what was told to the task as it is. */
  missing(task: Task): readonly StreamResponse[] {
    const told = this.#fold?.task();
    if (told === undefined) return [{ task }];
    const ids = { taskId: task.id, contextId: task.contextId ?? told.contextId ?? "" };
    const events: StreamResponse[] = [];
    for (const artifact of task.artifacts ?? []) {
      const known = told.artifacts?.find(({ artifactId }) => artifactId === artifact.artifactId);
      const rest = remainder(known, artifact);
      if (rest !== undefined) events.push({ artifactUpdate: { ...ids, ...rest } });
    }
    const isSameStatus = JSON.stringify(told.status) === JSON.stringify(task.status);
    const isSameState =
      told.status.state === task.status.state && task.status.message === undefined;
    if (!isSameStatus && !isSameState) {
      events.push({ statusUpdate: { ...ids, status: task.status } });
    }
    return events;
  }
}

/** What of an artifact is new: the parts after those known, the text after that known, or all of it. */
function remainder(
  known: Artifact | undefined,
  artifact: Artifact,
): { readonly artifact: Artifact; readonly append?: true } | undefined {
  if (known === undefined) return { artifact };
  const isPrefix = known.parts.every((part, index) => isSame(part, artifact.parts[index]));
  if (isPrefix) {
    const parts = artifact.parts.slice(known.parts.length);
    return parts.length === 0 ? undefined : { artifact: { ...artifact, parts }, append: true };
  }
  // Servers may join streamed chunks into one part.
  const [before, after] = [textOf(known.parts), textOf(artifact.parts)];
  if (before !== undefined && after?.startsWith(before) === true) {
    const text = after.slice(before.length);
    return text === "" ? undefined : { artifact: { ...artifact, parts: [{ text }] }, append: true };
  }
  return { artifact };
}

function isSame(one: Part, other: Part | undefined): boolean {
  return other !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

function textOf(parts: readonly Part[]): string | undefined {
  const texts = parts.map((part) => part.text);
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}
