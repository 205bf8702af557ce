import { A2AError } from "../../../src/protocol/internal.js";
import type {
  ErrorCode,
  SendMessageResponse,
  StreamResponse,
  Task,
} from "../../../src/protocol/internal.js";
import type { StreamEvent } from "../../../src/protocol/internal.js";

/** Gives the task of an answer, and fails if the answer is a message. */
export function taskOf(answer: SendMessageResponse): Task {
  if (answer.task === undefined) throw new Error("expected a task, got a message");
  return answer.task;
}

/** Gives the `A2AError` that a promise rejects with. Any other rejection is rethrown. */
export async function refusal(promise: Promise<unknown>): Promise<A2AError> {
  try {
    await promise;
  } catch (error) {
    if (A2AError.is(error)) return error;
    throw error;
  }
  throw new Error("expected a refusal, got none");
}

export async function refusalCode(promise: Promise<unknown>): Promise<ErrorCode> {
  return (await refusal(promise)).code;
}

/** Describes an event in a few words: `task submitted`, `status working: On it`, `artifact answer += a`. */
function describeResponse(response: StreamResponse): string {
  if (response.task !== undefined) return `task ${stateOf(response.task)}`;
  if (response.message !== undefined) return `message ${textIn(response.message.parts)}`;
  if (response.statusUpdate !== undefined) {
    const { state, message } = response.statusUpdate.status;
    const said = message === undefined ? "" : `: ${textIn(message.parts)}`;
    return `status ${state.slice(11).toLowerCase()}${said}`;
  }
  const { artifact, append } = response.artifactUpdate;
  return `artifact ${artifact.artifactId} ${append === true ? "+=" : "="} ${textIn(artifact.parts)}`;
}

export function describeEvents(events: readonly StreamEvent[]): string[] {
  return events.map(({ response }) => describeResponse(response));
}

/** Gives the state of a task as one word: `completed`, `input_required`. */
export function stateOf({ status }: Task): string {
  return status.state.slice(11).toLowerCase();
}

/** Joins the texts of the parts of an artifact. */
export function artifactText(task: Task, artifactId = "answer"): string | undefined {
  const found = task.artifacts?.find((artifact) => artifact.artifactId === artifactId);
  return found && textIn(found.parts);
}

export function textIn(parts: readonly { readonly text?: string }[]): string {
  return parts.map(({ text }) => text ?? "").join("");
}
