import { randomUUID } from "node:crypto";
import type { Message, StreamResponse, Task, TaskState } from "@parley/a2a";

/** The states that can be brought about, as they are typed. */
export const triggerStates = [
  "submitted",
  "working",
  "completed",
  "failed",
  "canceled",
  "rejected",
  "input-required",
  "auth-required",
] as const;

export type TriggerState = (typeof triggerStates)[number];

/** The state as the protocol calls it. */
export function stateNamed(state: TriggerState): TaskState {
  return `TASK_STATE_${state.toUpperCase().replace("-", "_")}` as TaskState;
}

/** What brings Parley's demo agent into a state. */
export const demoMessages: Readonly<Record<TriggerState, string>> = {
  submitted: "stream 20 100",
  working: "stream 20 100",
  completed: "task hello",
  failed: "fail",
  canceled: "wait 60",
  rejected: "reject",
  "input-required": "flight",
  "auth-required": "auth",
};

const words: Readonly<Record<TriggerState, string>> = {
  submitted: "The task is noted.",
  working: "The agent is at work.",
  completed: "Done.",
  failed: "The agent has failed.",
  canceled: "The task was canceled.",
  rejected: "The agent does not take on such tasks.",
  "input-required": "What is your name?",
  "auth-required": "Please authorize this.",
};

/** A notification of a scenario, and the task as it then is: versions before 1.0 send the whole task. */
export interface ScenarioStep {
  readonly response: StreamResponse;
  readonly task: Task;
}

/** What an agent would tell a webhook about a task on its way to a state. */
export function scenarioOf(state: TriggerState): readonly ScenarioStep[] {
  const ids = { taskId: randomUUID(), contextId: randomUUID() };
  const say = (text: string): Message => ({
    messageId: randomUUID(),
    role: "ROLE_AGENT",
    parts: [{ text }],
    ...ids,
  });
  const status = (one: TriggerState) => ({
    state: stateNamed(one),
    timestamp: new Date().toISOString(),
    message: say(words[one]),
  });
  let task: Task = { id: ids.taskId, contextId: ids.contextId, status: status("submitted") };
  const steps: ScenarioStep[] = [{ response: { task }, task }];
  const move = (one: TriggerState): void => {
    task = { ...task, status: status(one) };
    steps.push({ response: { statusUpdate: { ...ids, status: task.status } }, task });
  };
  if (state === "submitted") return steps;
  if (state !== "rejected") move("working");
  if (state === "working" || state === "completed") {
    const artifact = { artifactId: "answer", parts: [{ text: "An answer." }] };
    task = { ...task, artifacts: [artifact] };
    steps.push({ response: { artifactUpdate: { ...ids, artifact, lastChunk: true } }, task });
  }
  if (state !== "working") move(state);
  return steps;
}
