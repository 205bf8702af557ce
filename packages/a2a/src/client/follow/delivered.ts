import { isTerminal, TaskFold } from "../../protocol/internal.js";
import type {
  Artifact,
  Part,
  StreamResponse,
  Task,
  TaskState,
  TaskStatus,
} from "../../protocol/internal.js";

/**
 * What a caller has been told of a task so far. When a stream starts over with the whole task, this
 * tells what of it is new, so that nothing is told twice and nothing is left out.
 */
export class Delivered {
  #fold: TaskFold | undefined;
  #taskId: string | undefined;

  /** Of a task that is known by its id alone, nothing has been told. */
  constructor(taskId?: string) {
    this.#taskId = taskId;
  }

  get taskId(): string | undefined {
    return this.#taskId;
  }

  get state(): TaskState | undefined {
    return this.#fold?.status.state;
  }

  /** The task as the caller knows it. */
  task(): Task | undefined {
    return this.#fold?.task();
  }

  /** Notes an event that the caller is told. */
  add({ task, statusUpdate, artifactUpdate }: StreamResponse): void {
    if (task !== undefined) {
      this.#fold = new TaskFold(task);
      this.#taskId = task.id;
    }
    const update = statusUpdate ?? artifactUpdate;
    if (update === undefined) return;
    this.#taskId = update.taskId;
    this.#fold ??= new TaskFold({
      id: update.taskId,
      contextId: update.contextId,
      status: { state: "TASK_STATE_SUBMITTED" },
    });
    if (isTerminal(this.#fold.status.state)) return;
    if (statusUpdate !== undefined && statusUpdate.status.state !== "TASK_STATE_UNSPECIFIED") {
      this.#fold.apply({ ...statusUpdate, kind: "status-changed" });
    }
    if (artifactUpdate !== undefined) {
      this.#fold.apply({ ...artifactUpdate, kind: "artifact-updated" });
    }
  }

  /** The caller has answered: the task waits no longer, whatever was told of it. */
  goOn(): void {
    const status = { state: "TASK_STATE_SUBMITTED" } as const;
    if (this.#taskId !== undefined) {
      this.add({ statusUpdate: { taskId: this.#taskId, contextId: "", status } });
    }
  }

  /** The events that lead from what was told to the task as it is, or as it was a moment ago. */
  missing(task: Task): readonly StreamResponse[] {
    const told = this.#fold?.task();
    if (told === undefined) return [{ task }];
    const ids = { taskId: task.id, contextId: task.contextId ?? told.contextId ?? "" };
    const events: StreamResponse[] = [];
    const isFinal = isTerminal(task.status.state);
    for (const artifact of task.artifacts ?? []) {
      const known = told.artifacts?.find(({ artifactId }) => artifactId === artifact.artifactId);
      const rest = known === undefined ? { artifact } : remainder(known, artifact, isFinal);
      if (rest !== undefined) events.push({ artifactUpdate: { ...ids, ...rest } });
    }
    if (isNews(told.status, task.status)) {
      events.push({ statusUpdate: { ...ids, status: task.status } });
    }
    return events;
  }
}

/** Whether a status says more than the one that was told. The time alone is no news. */
function isNews(told: TaskStatus, status: TaskStatus): boolean {
  if (told.timestamp !== undefined && status.timestamp !== undefined && !isTerminal(status.state)) {
    if (Date.parse(status.timestamp) < Date.parse(told.timestamp)) return false;
  }
  if (status.state === "TASK_STATE_UNSPECIFIED") return false;
  if (told.state !== status.state) return true;
  const { message } = status;
  if (message === undefined) return false;
  return told.message?.messageId !== message.messageId;
}

interface Remainder {
  readonly artifact: Artifact;
  readonly append?: boolean;
}

/**
 * What of an artifact is new: the parts after those known, or the text after that known. Nothing when
 * the agent looked at an earlier state than was told. When it says something else than was told, all
 * of it, in place of what was told.
 */
function remainder(known: Artifact, artifact: Artifact, isFinal: boolean): Remainder | undefined {
  if (isPrefix(known.parts, artifact.parts)) {
    const parts = artifact.parts.slice(known.parts.length);
    return parts.length === 0 ? undefined : { artifact: { ...artifact, parts }, append: true };
  }
  // Servers may join streamed chunks into one part.
  const [before, after] = [textOf(known.parts), textOf(artifact.parts)];
  if (before !== undefined && after?.startsWith(before) === true) {
    const text = after.slice(before.length);
    return text === "" ? undefined : { artifact: { ...artifact, parts: [{ text }] }, append: true };
  }
  const isBehind =
    isPrefix(artifact.parts, known.parts) ||
    (after !== undefined && before?.startsWith(after) === true);
  return isBehind && !isFinal ? undefined : { artifact, append: false };
}

function isPrefix(parts: readonly Part[], others: readonly Part[]): boolean {
  return (
    parts.length <= others.length &&
    parts.every((part, index) => JSON.stringify(part) === JSON.stringify(others[index]))
  );
}

function textOf(parts: readonly Part[]): string | undefined {
  const texts = parts.map((part) => part.text);
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}
