import type { Artifact } from "../artifact.js";
import type { Message } from "../message.js";
import type { Part } from "../part.js";
import { taskStates } from "../task-state.js";
import type { TaskState } from "../task-state.js";
import type { Task, TaskStatus } from "../task.js";
import { array, parts } from "./collections.js";
import { describe } from "./cursor.js";
import type { Cursor, Parser } from "./cursor.js";
import { jsonObject } from "./json.js";
import { identifierOrEmpty, parseMessage } from "./message.js";
import { implicit, object, optional, required } from "./object.js";
import { parsePart } from "./part.js";
import { identifier, string, timestamp } from "./primitives.js";

/** A task state by name or, as ProtoJSON allows, by number. */
export function parseTaskState(value: unknown, cursor: Cursor): TaskState {
  const state = taskStates.find((one, number) => value === one || value === number);
  if (state !== undefined) return state;
  const found = typeof value === "number" ? String(value) : describe(value);
  return cursor.fail(`expected a task state such as TASK_STATE_WORKING, got ${found}`);
}

/** The parsers of a task's pieces. The rest of a task is the same in every spelling. */
export interface TaskPieces {
  readonly status: Parser<TaskStatus>;
  readonly artifact: Parser<Artifact>;
  readonly message: Parser<Message>;
}

/* @__NO_SIDE_EFFECTS__ */
export function taskStatusOf(
  state: Parser<TaskState>,
  message: Parser<Message>,
): Parser<TaskStatus> {
  return object<TaskStatus>({
    state: required(state),
    message: optional(message),
    timestamp: optional(timestamp),
  });
}

/* @__NO_SIDE_EFFECTS__ */
export function artifactOf(part: Parser<Part>): Parser<Artifact> {
  return object<Artifact>({
    artifactId: required(identifier),
    parts: required(parts(part)),
    name: implicit(string),
    description: implicit(string),
    extensions: implicit(array(string)),
    metadata: optional(jsonObject),
  });
}

/* @__NO_SIDE_EFFECTS__ */
export function taskOf(pieces: TaskPieces): Parser<Task> {
  return object<Task>({
    id: required(identifier),
    contextId: implicit(identifierOrEmpty),
    status: required(pieces.status),
    artifacts: implicit(array(pieces.artifact)),
    history: implicit(array(pieces.message)),
    metadata: optional(jsonObject),
  });
}

export const parseTaskStatus: Parser<TaskStatus> = taskStatusOf(parseTaskState, parseMessage);
export const parseArtifact: Parser<Artifact> = artifactOf(parsePart);

/** A task in the model's own form. */
export const parseTask: Parser<Task> = taskOf({
  status: parseTaskStatus,
  artifact: parseArtifact,
  message: parseMessage,
});
