import { taskStates } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";
import { describe } from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";

/** Spellings that were published or are in use, and mean one of the states. */
const aliases: Readonly<Record<string, TaskState>> = {
  unknown: "TASK_STATE_UNSPECIFIED",
  cancelled: "TASK_STATE_CANCELED",
  error: "TASK_STATE_FAILED",
  pending: "TASK_STATE_SUBMITTED",
};

const byName = new Map<unknown, TaskState>([
  ...Object.entries(aliases),
  ...taskStates.map((state): [string, TaskState] => [lowerName(state), state]),
  ...taskStates.map((state, number): [number, TaskState] => [number, state]),
]);
const canonical: ReadonlySet<unknown> = new Set(taskStates);

/**
 * A task state in any spelling a version or a peer uses: `completed`, `TASK_STATE_COMPLETED`,
 * `input_required`, `cancelled`, or its ProtoJSON number.
 */
export function decodeTaskState(value: unknown, cursor: Cursor): TaskState {
  const state = readTaskState(value);
  if (state !== undefined) return state;
  const found = typeof value === "number" ? String(value) : describe(value);
  return cursor.fail(
    `expected a task state such as ${cursor.isPeer ? "working" : example}, got ${found}`,
  );
}

/** The state a value stands for, in any spelling; `undefined` for what is none. */
export function readTaskState(value: unknown): TaskState | undefined {
  if (canonical.has(value)) return value as TaskState;
  return byName.get(typeof value === "string" ? normalise(value) : value);
}

const example = "working or TASK_STATE_WORKING";

/** The spelling of 0.2 and 0.3 JSON: `input-required`. */
export function encodeLowerTaskState(state: TaskState): string {
  return state === "TASK_STATE_UNSPECIFIED" ? "unknown" : lowerName(state);
}

/** The spelling of the 0.3 protobuf, which has a second L in one of its names. */
export function encodeProtoTaskState(state: TaskState): string {
  return state === "TASK_STATE_CANCELED" ? "TASK_STATE_CANCELLED" : state;
}

/** The spelling of 0.1, which lacks two of the states: a rejected task failed, one that waits for authorization asks for input. */
export function encodeOldestTaskState(state: TaskState): string {
  if (state === "TASK_STATE_REJECTED") return "failed";
  if (state === "TASK_STATE_AUTH_REQUIRED") return "input-required";
  return encodeLowerTaskState(state);
}

function lowerName(state: TaskState): string {
  return state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", "-");
}

function normalise(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^task_state_/, "")
    .replaceAll(/[_ ]/g, "-");
}
