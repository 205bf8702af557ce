import { expect, it } from "vitest";
import { TaskFold } from "../task-fold.js";
import type { TaskState } from "../task-state.js";
import { firstTransition, stateTransitionsUri } from "./state-transitions.js";

const at = (second: number): string => new Date(second * 1000).toISOString();

function foldOf(states: readonly TaskState[], keeps: boolean): TaskFold {
  const status = { state: "TASK_STATE_SUBMITTED", timestamp: at(0) } as const;
  const metadata = keeps ? firstTransition(status) : undefined;
  const fold = new TaskFold({
    kind: "task-created",
    taskId: "t1",
    contextId: "c1",
    status,
    ...(metadata && { metadata }),
  });
  for (const [index, state] of states.entries()) {
    fold.apply({ kind: "status-changed", status: { state, timestamp: at(index + 1) } });
  }
  return fold;
}

it("a task keeps the states that it has been in, each with its time, and no repetitions", () => {
  const states: TaskState[] = [
    "TASK_STATE_WORKING",
    "TASK_STATE_WORKING",
    "TASK_STATE_INPUT_REQUIRED",
    "TASK_STATE_COMPLETED",
  ];
  expect(foldOf(states, true).task().metadata).toEqual({
    [stateTransitionsUri]: [
      { state: "submitted", timestamp: at(0) },
      { state: "working", timestamp: at(1) },
      { state: "input-required", timestamp: at(3) },
      { state: "completed", timestamp: at(4) },
    ],
  });
});

it("a task that does not begin with them keeps none", () => {
  expect(foldOf(["TASK_STATE_WORKING"], false).task()).not.toHaveProperty("metadata");
});

it("a task goes on keeping them after it was folded before", () => {
  const fold = new TaskFold(foldOf(["TASK_STATE_WORKING"], true).task());
  fold.apply({ kind: "status-changed", status: { state: "TASK_STATE_COMPLETED" } });
  const kept = fold.task().metadata?.[stateTransitionsUri] as readonly { state: string }[];
  expect(kept.map(({ state }) => state)).toEqual(["submitted", "working", "completed"]);
});

it("a task keeps the latest hundred", () => {
  const turns = Array.from({ length: 300 }, (_, index): TaskState =>
    index % 2 === 0 ? "TASK_STATE_WORKING" : "TASK_STATE_INPUT_REQUIRED",
  );
  const kept = foldOf(turns, true).task().metadata?.[stateTransitionsUri];
  expect(kept).toHaveLength(100);
  expect((kept as unknown[]).at(-1)).toEqual({ state: "input-required", timestamp: at(300) });
});
