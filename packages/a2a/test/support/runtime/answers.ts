import { A2AError } from "../../../src/protocol/index.js";
import type {
  ErrorCode,
  SendMessageResponse,
  StreamEvent,
  StreamResponse,
  Task,
} from "../../../src/protocol/index.js";

/** The task of an answer that has to be one. */
export function taskOf(answer: SendMessageResponse): Task {
  if (answer.task === undefined) throw new Error("expected a task, got a message");
  return answer.task;
}

/** What a promise is refused with; a refusal that is no `A2AError` is thrown on. */
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

/** An event in a few words: `task submitted`, `status working: On it`, `artifact answer += a`. */
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

/** `completed`, `input_required`. */
export function stateOf({ status }: Task): string {
  return status.state.slice(11).toLowerCase();
}

/** The text of a task's artifact, its parts joined. */
export function artifactText(task: Task, artifactId = "answer"): string | undefined {
  const found = task.artifacts?.find((artifact) => artifact.artifactId === artifactId);
  return found && textIn(found.parts);
}

export function textIn(parts: readonly { readonly text?: string }[]): string {
  return parts.map(({ text }) => text ?? "").join("");
}
