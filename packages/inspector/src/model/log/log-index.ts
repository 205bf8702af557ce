import type { JsonObject, Message, TaskState, TaskStatus } from "@parley/a2a";
import { TaskFold } from "@parley/a2a/store";
import type { LogEntry, LogEvent, TaskEvent } from "@parley/a2a/store";
import { ArtifactTrack } from "./artifact-track.js";
import type { ArtifactView } from "./artifact-track.js";
import { lastAtMost, lastIndexWhere } from "./search.js";
import { StateView } from "./state-view.js";

/** A status that a task had, from a position of its log until the next one. */
export interface StatusPoint {
  readonly position: number;
  readonly status: TaskStatus;
  readonly metadata?: JsonObject;
}

type Changed = Extract<TaskEvent, { readonly kind: "status-changed" }>;

const unknownStatus: TaskStatus = { state: "TASK_STATE_UNSPECIFIED" };

/**
 * A log that answers what its task was at any of its entries. A log only grows, so each entry is looked at once; the
 * state at an entry is then a few binary searches and prefixes, however long the log is.
 *
 * A position counts entries from 0; a sequence is the number that the log itself gives them.
 */
export class LogIndex {
  readonly entries: LogEntry[] = [];
  readonly #statuses: StatusPoint[] = [];
  readonly #statusesAt: number[] = [];
  readonly #changesAt: number[] = [];
  readonly #history: Message[] = [];
  readonly #historyAt: number[] = [];
  readonly #artifacts: ArtifactTrack[] = [];
  readonly #artifactsAt: number[] = [];
  readonly #artifactById = new Map<string, ArtifactTrack>();
  #taskId = "";
  #contextId: string | undefined;

  constructor(entries: readonly LogEntry[] = []) {
    this.append(entries);
  }

  get length(): number {
    return this.entries.length;
  }

  get taskId(): string {
    return this.#taskId;
  }

  get contextId(): string | undefined {
    return this.#contextId;
  }

  /** Adds entries at the end. Those that are there already, by their sequences, are left out. */
  append(entries: readonly LogEntry[]): void {
    let last = this.entries.at(-1)?.sequence ?? -Infinity;
    for (const entry of entries) {
      if (entry.sequence <= last) continue;
      last = entry.sequence;
      const position = this.entries.push(entry) - 1;
      this.#add(position, entry.event);
    }
  }

  /** The position of the entry with a sequence, or of the last one before it; -1 before the first. */
  positionOf(sequence: number): number {
    const { entries } = this;
    // Stores number without gaps, so the first guess is nearly always right.
    const guess = sequence - (entries[0]?.sequence ?? 0);
    if (entries[guess]?.sequence === sequence) return guess;
    return lastIndexWhere(entries.length, (index) => this.sequenceAt(index) <= sequence);
  }

  sequenceAt(position: number): number {
    return this.entries[position]?.sequence ?? 0;
  }

  timeAt(position: number): number {
    return this.entries[position]?.at ?? 0;
  }

  /** The task as of a position. */
  at(position: number): StateView {
    const last = Math.min(position, this.length - 1);
    const point = this.#statuses[lastAtMost(this.#statusesAt, last)];
    return new StateView({
      taskId: this.#taskId,
      contextId: this.#contextId,
      position: last,
      sequence: this.sequenceAt(last),
      time: this.timeAt(last),
      status: point?.status ?? unknownStatus,
      metadata: point?.metadata,
      history: this.#history,
      historyLength: lastAtMost(this.#historyAt, last) + 1,
      artifacts: this.#artifacts,
      artifactCount: lastAtMost(this.#artifactsAt, last) + 1,
    });
  }

  /** The state at a position, without the rest of the task. */
  stateAt(position: number): TaskState {
    return (this.#statuses[lastAtMost(this.#statusesAt, position)]?.status ?? unknownStatus).state;
  }

  /** One artifact at a position; `undefined` before it appeared. */
  artifactAt(artifactId: string, position: number): ArtifactView | undefined {
    return this.#artifactById.get(artifactId)?.at(position);
  }

  /** Where the state of the task changed, the creation first. */
  get changes(): readonly number[] {
    return this.#changesAt;
  }

  /** The next position after, or before, this one where the state changed; the last or first entry when there is none. */
  nextChange(position: number, direction: 1 | -1): number {
    const changes = this.#changesAt;
    const index = lastAtMost(changes, direction === 1 ? position : position - 1);
    const next = direction === 1 ? changes[index + 1] : changes[index];
    return next ?? (direction === 1 ? Math.max(0, this.length - 1) : 0);
  }

  #add(position: number, event: LogEvent): void {
    switch (event.kind) {
      case "task-created":
        this.#taskId = event.taskId;
        this.#contextId = event.contextId;
        this.#addStatus(position, event.status, event.metadata);
        return;
      case "message-added":
        this.#retireMessage(position);
        this.#addMessage(position, event.message);
        return;
      case "status-changed":
        this.#retireMessage(position);
        this.#changeStatus(position, event);
        return;
      case "artifact-updated":
        this.#trackOf(event.artifact.artifactId, position).add(
          position,
          event.artifact,
          event.append === true,
        );
        return;
      case "run-started":
      case "run-resumed":
      case "step-recorded":
      case "stream-recorded":
      case "question-asked":
      case "question-closed":
      case "message-taken":
      case "cancel-requested":
        return; // the journal: it changes nothing that callers see
    }
  }

  #addStatus(position: number, status: TaskStatus, metadata: JsonObject | undefined): void {
    if (status.state !== this.#statuses.at(-1)?.status.state) this.#changesAt.push(position);
    if (this.#statusesAt.at(-1) === position) {
      this.#statuses.pop();
      this.#statusesAt.pop();
    }
    this.#statuses.push({ position, status, ...(metadata && { metadata }) });
    this.#statusesAt.push(position);
  }

  /** What an event makes of a status and the metadata of its task, by the rules of the library's own fold. */
  #changeStatus(position: number, event: Changed): void {
    const { status, metadata } = this.#statuses.at(-1) ?? { status: unknownStatus };
    const start = { id: "", status, ...(metadata && { metadata }) };
    try {
      const fold = new TaskFold(start);
      fold.apply(event);
      const task = fold.task();
      this.#addStatus(position, task.status, task.metadata);
    } catch {
      // The library refuses what comes after the end of a task. A foreign agent may send it, so it is shown.
      this.#addStatus(position, event.status, { ...metadata, ...event.metadata });
    }
  }

  /** A status message moves into the history once something follows it. */
  #retireMessage(position: number): void {
    const point = this.#statuses.at(-1);
    if (point?.status.message === undefined) return;
    const { message, ...status } = point.status;
    this.#addMessage(position, message);
    this.#addStatus(position, status, point.metadata);
  }

  #addMessage(position: number, message: Message): void {
    this.#history.push(message);
    this.#historyAt.push(position);
  }

  #trackOf(artifactId: string, position: number): ArtifactTrack {
    const known = this.#artifactById.get(artifactId);
    if (known !== undefined) return known;
    const track = new ArtifactTrack(artifactId);
    this.#artifactById.set(artifactId, track);
    this.#artifacts.push(track);
    this.#artifactsAt.push(position);
    return track;
  }
}
