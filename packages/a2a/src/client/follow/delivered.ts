import { GrowingTask, isTerminal, progressOf, statusDetailsUri } from "../../protocol/internal.js";
import { checkSize, defaultMaxAnswerBytes, refuseAnswer } from "../../binding/internal.js";
import type { ReadLimit } from "../../binding/internal.js";
import type {
  Artifact,
  Part,
  StreamEvent,
  StreamResponse,
  Task,
  TaskState,
  TaskStatus,
} from "../../protocol/internal.js";

/**
 * What a caller has received of a task so far. When a stream starts over with the whole task, this finds out
 * what of it is new, so that the caller receives everything once.
 */
export class Delivered {
  #told: GrowingTask | undefined;
  #taskId: string | undefined;
  readonly #limit: ReadLimit;
  /** How much may come before the size of the task is looked at again. */
  #room: number;

  /**
   * With the id of a task of which the caller has received nothing yet, and the most bytes that a task may grow to: a
   * stream without end must not fill the memory.
   */
  constructor(taskId?: string, maxBytes: number = defaultMaxAnswerBytes) {
    this.#taskId = taskId;
    this.#limit = { maxBytes, option: "maxAnswerBytes" };
    this.#room = maxBytes;
  }

  get taskId(): string | undefined {
    return this.#taskId;
  }

  get state(): TaskState | undefined {
    return this.#told?.status.state;
  }

  /** The task as the caller has received it. */
  task(): Task | undefined {
    return this.#told?.task();
  }

  /** Notes an event of the agent. Returns what of it the caller has not received yet. */
  receive(response: StreamResponse): readonly StreamResponse[] {
    const { task } = response;
    const news = task && task.id === this.#taskId ? this.missing(task) : [response];
    for (const one of news) this.add(one);
    return news;
  }

  /** Notes an event that the caller receives. */
  add(response: StreamResponse): void {
    this.#apply(response);
    this.#room -= sizeOf(response);
    if (this.#room >= 0) return;
    checkSize(sizeOf(this.task()), this.#limit);
    // The task may grow beyond the limit by this much; one close to the limit is not looked at after every event.
    this.#room = this.#limit.maxBytes / 8;
  }

  #apply({ task, statusUpdate, artifactUpdate }: StreamResponse): void {
    if (task !== undefined) {
      this.#told = new GrowingTask(task);
      this.#taskId = task.id;
    }
    const update = statusUpdate ?? artifactUpdate;
    if (update === undefined) return;
    this.#taskId = update.taskId;
    this.#told ??= new GrowingTask({
      id: update.taskId,
      contextId: update.contextId,
      status: { state: "TASK_STATE_SUBMITTED" },
    });
    if (isTerminal(this.#told.status.state)) return;
    if (statusUpdate !== undefined && statusUpdate.status.state !== "TASK_STATE_UNSPECIFIED") {
      this.#told.changeStatus(statusUpdate);
    }
    if (artifactUpdate !== undefined) this.#told.updateArtifact(artifactUpdate);
  }

  /** Notes that the caller has answered, so that the task no longer waits for it. */
  resume(): void {
    const status = { state: "TASK_STATE_SUBMITTED" } as const;
    if (this.#taskId !== undefined) {
      this.add({ statusUpdate: { taskId: this.#taskId, contextId: "", status } });
    }
  }

  /** Whether something in an event is certainly not in what the caller has received. */
  lacks({ task, statusUpdate, artifactUpdate }: StreamResponse): boolean {
    if (artifactUpdate !== undefined) {
      const { artifact } = artifactUpdate;
      const known = knownArtifact(this.task(), artifact);
      return known === undefined || !printed(known).includes(printed(artifact));
    }
    const told = task ?? (statusUpdate && { ...statusUpdate, id: statusUpdate.taskId });
    return told === undefined || this.missing(told).length > 0;
  }

  /**
   * The events that lead from what the caller has received to this state of the task, which may be an
   * earlier one.
   */
  missing(task: Task): readonly StreamResponse[] {
    const received = this.task();
    if (received === undefined) return [{ task }];
    const ids = { taskId: task.id, contextId: task.contextId ?? received.contextId ?? "" };
    const events: StreamResponse[] = [];
    const isFinal = isTerminal(task.status.state);
    for (const artifact of task.artifacts ?? []) {
      const known = knownArtifact(received, artifact);
      const rest = known === undefined ? { artifact } : remainder(known, artifact, isFinal);
      if (rest !== undefined) events.push({ artifactUpdate: { ...ids, ...rest } });
    }
    const progress = progressOf(task);
    const hasMoved = progress !== undefined && progress !== progressOf(received);
    if (isNews(received.status, task.status, hasMoved)) {
      const metadata = progress !== undefined && { metadata: { [statusDetailsUri]: { progress } } };
      events.push({ statusUpdate: { ...ids, status: task.status, ...metadata } });
    }
    return events;
  }
}

/** The error for an event of another task than the one with the id; none if it is of that task, or of no task. */
export function otherTask(
  { task, statusUpdate, artifactUpdate }: StreamResponse,
  id: string | undefined,
): Error | undefined {
  const other = task?.id ?? (statusUpdate ?? artifactUpdate)?.taskId;
  if (other === undefined || other === id) return undefined;
  return refuseAnswer("task", `the stream of task ${id} has an event of task ${other}`);
}

/** About as many bytes as the value takes as JSON, and half as many as in memory. */
function sizeOf(value: unknown): number {
  let size = 8;
  if (typeof value === "string") size += value.length;
  else if (typeof value === "object") {
    for (const one of Object.values(value ?? {})) size += sizeOf(one);
  }
  return size;
}

function knownArtifact(task: Task | undefined, { artifactId }: Artifact): Artifact | undefined {
  return task?.artifacts?.find((one) => one.artifactId === artifactId);
}

/**
 * Whether a status differs from the one received in more than its time, or its progress has moved, and it is not
 * an older one.
 */
function isNews(received: TaskStatus, status: TaskStatus, hasMoved: boolean): boolean {
  const { state, message } = status;
  const isOlder =
    Date.parse(status.timestamp ?? "") < Date.parse(received.timestamp ?? "") && !isTerminal(state);
  if (isOlder || state === "TASK_STATE_UNSPECIFIED") return false;
  if (received.state !== state || hasMoved) return true;
  return message !== undefined && received.message?.messageId !== message.messageId;
}

interface Remainder {
  readonly artifact: Artifact;
  readonly append?: boolean;
}

/**
 * What of an artifact is new: the parts after the known ones, or the text after the known text. Nothing when
 * the artifact is in an earlier state than the known one. When it differs from the known one, all of it,
 * to replace the known one.
 */
function remainder(known: Artifact, artifact: Artifact, isFinal: boolean): Remainder | undefined {
  if (isPrefix(known.parts, artifact.parts)) {
    const parts = artifact.parts.slice(known.parts.length);
    return parts.length === 0 ? undefined : { artifact: { ...artifact, parts }, append: true };
  }
  // Servers may join streamed chunks into one part.
  const [before, after] = [joinedText(known.parts), joinedText(artifact.parts)];
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
  return parts.length <= others.length && parts.every((part, index) => isSame(part, others[index]));
}

/** The parts of an artifact so that those of a piece of it are within. */
function printed({ parts }: Artifact): string {
  return JSON.stringify(joinedText(parts) ?? parts).slice(1, -1);
}

/** The text of parts that are all text. */
function joinedText(parts: readonly Part[]): string | undefined {
  const texts = parts.map((part) => part.text);
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}

/** How far a stream has come in the agent's log, as long as its sequence numbers are positions in one log. */
export class StreamPosition {
  /** False once a number was seen that is not above the one before it. */
  isNumbered = true;
  #sequence: number | undefined;
  #last: StreamEvent | undefined;

  constructor(sequence: number | undefined) {
    this.#sequence = sequence;
  }

  /** The number of the last event; `undefined` when the numbers are absent or mean nothing. */
  get sequence(): number | undefined {
    return this.isNumbered ? this.#sequence : undefined;
  }

  /**
   * Moves on to an event and says what its number makes of it: the `next` one; the last one `repeated`, as on
   * a connection that a proxy has duplicated; or `unclear`, one that the caller may have received before.
   */
  advance(event: StreamEvent): "next" | "repeated" | "unclear" {
    const { sequence } = event;
    if (!this.isNumbered || sequence === undefined) return "next";
    const before = this.#sequence ?? -1;
    if (sequence === before && isSame(event.response, this.#last?.response)) return "repeated";
    this.isNumbered = sequence > before;
    this.#sequence = sequence;
    this.#last = event;
    return this.isNumbered ? "next" : "unclear";
  }
}

function isSame(value: object, other: object | undefined): boolean {
  return JSON.stringify(value) === JSON.stringify(other);
}
