import type { Artifact } from "../artifact.js";
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

const byName: ReadonlyMap<unknown, TaskState> = new Map<unknown, TaskState>(
  taskStates.flatMap((state, number) => [
    [state, state],
    [number, state],
  ]),
);

/** A task state by name or, as ProtoJSON allows, by number. */
export function parseTaskState(value: unknown, cursor: Cursor): TaskState {
  const state = byName.get(value);
  if (state !== undefined) return state;
  const found = typeof value === "number" ? String(value) : describe(value);
  return cursor.fail(`expected a task state such as TASK_STATE_WORKING, got ${found}`);
}

export const parseTaskStatus: Parser<TaskStatus> = object<TaskStatus>({
  state: required(parseTaskState),
  message: optional(parseMessage),
  timestamp: optional(timestamp),
});

export const parseArtifact: Parser<Artifact> = object<Artifact>({
  artifactId: required(identifier),
  parts: required(parts(parsePart)),
  name: implicit(string),
  description: implicit(string),
  extensions: implicit(array(string)),
  metadata: optional(jsonObject),
});

/** A task in the model's own form. */
export const parseTask: Parser<Task> = object<Task>({
  id: required(identifier),
  contextId: implicit(identifierOrEmpty),
  status: required(parseTaskStatus),
  artifacts: implicit(array(parseArtifact)),
  history: implicit(array(parseMessage)),
  metadata: optional(jsonObject),
});
