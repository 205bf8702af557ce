import { A2AError } from "../../src/protocol/internal.js";
import type {
  ErrorCode,
  SendMessageResponse,
  StreamEvent,
  StreamResponse,
  Task,
} from "../../src/protocol/internal.js";

const patienceMs = 30_000;

/** Lets everything happen that is about to, short of what the clock has to bring. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Waits for a condition, however long it takes within reason. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = "the condition",
): Promise<void> {
  const started = Date.now();
  while (!(await condition())) {
    if (Date.now() - started > patienceMs) throw new Error(`waited in vain for ${what}`);
    await settle();
  }
}

/** The task of an answer that has to be one. */
export function taskOf(answer: SendMessageResponse): Task {
  if (answer.task === undefined) throw new Error("expected a task, got a message");
  return answer.task;
}

/** All that a stream tells until it ends. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export interface Watching {
  readonly events: readonly StreamEvent[];
  readonly isOver: boolean;
  /** Resolves when the stream has ended. */
  readonly done: Promise<void>;
}

/** Reads a stream as fast as it comes, in the background. */
export function watchInBackground(stream: AsyncIterable<StreamEvent>): Watching {
  const events: StreamEvent[] = [];
  let isOver = false;
  const read = async (): Promise<void> => {
    try {
      for await (const event of stream) events.push(event);
    } finally {
      isOver = true;
    }
  };
  const done = read();
  done.catch(() => undefined);
  return {
    events,
    done,
    get isOver() {
      return isOver;
    },
  };
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
