import { describeState, taskStates } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";
import { describe } from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";

/** Other spellings of states that were published or are in use. */
const aliases: Readonly<Record<string, TaskState>> = {
  unknown: "TASK_STATE_UNSPECIFIED",
  cancelled: "TASK_STATE_CANCELED",
  error: "TASK_STATE_FAILED",
  pending: "TASK_STATE_SUBMITTED",
};

const byName = new Map<string, TaskState>([
  ...Object.entries(aliases),
  ...taskStates.map((state): [string, TaskState] => [describeState(state), state]),
  ...taskStates.map((state, number): [string, TaskState] => [String(number), state]),
]);
const canonical: ReadonlySet<unknown> = new Set(taskStates);

/**
 * Decodes a task state in any spelling that a version or a peer uses: `completed`,
 * `TASK_STATE_COMPLETED`, `input_required`, `cancelled`, or the number of ProtoJSON.
 */
export function decodeTaskState(value: unknown, cursor: Cursor): TaskState {
  const state = readTaskState(value);
  if (state !== undefined) return state;
  const found = typeof value === "number" ? String(value) : describe(value);
  return cursor.fail(
    `expected a task state such as ${cursor.isPeer ? "working" : example}, got ${found}`,
  );
}

/** The state in any spelling; `undefined` for a value that is no state. */
export function readTaskState(value: unknown): TaskState | undefined {
  if (canonical.has(value)) return value as TaskState;
  const isName = typeof value === "string" || typeof value === "number";
  return isName ? byName.get(normalise(String(value))) : undefined;
}

const example = "working or TASK_STATE_WORKING";

/** The spelling of 0.2 and 0.3 JSON: `input-required`. */
export function encodeLowerTaskState(state: TaskState): string {
  return state === "TASK_STATE_UNSPECIFIED" ? "unknown" : describeState(state);
}

/** The spelling of the 0.3 protobuf, which has `CANCELLED` with two L. */
export function encodeProtoTaskState(state: TaskState): string {
  return state === "TASK_STATE_CANCELED" ? "TASK_STATE_CANCELLED" : state;
}

/** The spelling of 0.1, which has neither `rejected` (written as `failed`) nor `auth-required` (`input-required`). */
export function encodeOldestTaskState(state: TaskState): string {
  if (state === "TASK_STATE_REJECTED") return "failed";
  if (state === "TASK_STATE_AUTH_REQUIRED") return "input-required";
  return encodeLowerTaskState(state);
}

function normalise(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^task_state_/, "")
    .replaceAll(/[_ ]/g, "-");
}
