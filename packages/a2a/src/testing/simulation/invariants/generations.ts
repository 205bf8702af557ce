import { foldTask } from "../../../protocol/internal.js";
import type { TaskEvent } from "../../../protocol/internal.js";
import type { FinalTask } from "../../history/history.js";

interface Told {
  readonly generation: string;
  readonly count: number;
  next: number;
}

/**
 * What the worker tells at one place of its plan is of one activation, in order and without a repetition; in a completed
 * task all of it. And no activation writes after a later one has written.
 */
export function* checkGenerations(tasks: readonly FinalTask[]): Iterable<string> {
  for (const { record, log } of tasks) {
    const events = log.flatMap(({ event }): TaskEvent[] => (isTaskEvent(event) ? [event] : []));
    const { artifacts = [], status } = foldTask(events);
    const text = artifacts.flatMap(({ parts }) => parts.map((part) => part.text ?? "")).join("");
    const isComplete = status.state === "TASK_STATE_COMPLETED";
    for (const problem of checkText(text, isComplete)) yield `${record.taskId}: ${problem}`;
    for (const problem of checkTurns(log)) yield `${record.taskId}: ${problem}`;
  }
}

function* checkText(text: string, isComplete: boolean): Iterable<string> {
  const places = new Map<string, Told>();
  for (const [, run = "", place = "", index, count, generation = ""] of text.matchAll(chunk)) {
    const key = `${run} ${place}`;
    const told = places.get(key) ?? { generation, count: Number(count), next: 0 };
    places.set(key, told);
    if (told.generation !== generation) {
      yield `place ${place} of run ${run} is of ${told.generation} and of ${generation}: ${text}`;
    } else if (told.next !== Number(index)) {
      yield `place ${place} of run ${run} goes on with chunk ${index} where ${told.next} was expected: ${text}`;
    }
    told.next = Number(index) + 1;
  }
  for (const [key, { next, count }] of places) {
    if (isComplete && next !== count) {
      yield `the task is complete, and ${key} has ${next} chunks of ${count}: ${text}`;
    }
  }
}

/** Once an activation has told something, those before it tell nothing more. */
function* checkTurns(log: FinalTask["log"]): Iterable<string> {
  const over = new Set<string>();
  let current: string | undefined;
  for (const { sequence, event } of log) {
    if (event.kind !== "artifact-updated") continue;
    const text = event.artifact.parts.map((part) => part.text ?? "").join("");
    const last = Array.from(text.matchAll(chunk)).at(-1)?.[5];
    if (last === undefined || last === current) continue;
    if (over.has(last)) yield `entry ${sequence} is of ${last}, after ${current} had written`;
    if (current !== undefined) over.add(current);
    current = last;
  }
}

const chunk = /<(\S+) (\d+)\.(\d+)\/(\d+) ([^>]+)>/g;

function isTaskEvent(event: FinalTask["log"][number]["event"]): event is TaskEvent {
  const { kind } = event;
  return (
    kind === "task-created" ||
    kind === "message-added" ||
    kind === "status-changed" ||
    kind === "artifact-updated"
  );
}
