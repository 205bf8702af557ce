import type { TaskState } from "@parley/a2a";
import type { ComponentChild } from "preact";
import { Chip } from "./chip.js";
import type { Shape, Tone } from "./mark.js";

interface Look {
  readonly tone: Tone;
  readonly shape?: Shape;
  readonly word: string;
}

const looks: Readonly<Record<TaskState, Look>> = {
  TASK_STATE_UNSPECIFIED: { tone: "neutral", word: "Unknown" },
  TASK_STATE_SUBMITTED: { tone: "neutral", word: "Submitted" },
  TASK_STATE_WORKING: { tone: "working", word: "Working" },
  TASK_STATE_INPUT_REQUIRED: { tone: "waiting", word: "Input required" },
  TASK_STATE_AUTH_REQUIRED: { tone: "waiting", word: "Auth required" },
  TASK_STATE_COMPLETED: { tone: "done", word: "Completed" },
  TASK_STATE_CANCELED: { tone: "neutral", shape: "ring", word: "Canceled" },
  TASK_STATE_FAILED: { tone: "failed", word: "Failed" },
  TASK_STATE_REJECTED: { tone: "failed", word: "Rejected" },
};

/** The colour, shape and word of a state. */
export function stateLook(state: TaskState): Look {
  return looks[state] ?? looks.TASK_STATE_UNSPECIFIED;
}

export function StateBadge({ state }: { state: TaskState }): ComponentChild {
  const { tone, shape, word } = stateLook(state);
  return (
    <Chip tone={tone} {...(shape === undefined ? {} : { shape })}>
      {word}
    </Chip>
  );
}
