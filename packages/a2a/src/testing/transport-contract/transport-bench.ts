import type {
  AgentService,
  CallContext,
  Part,
  ProtocolVersion,
  SendMessageRequest,
  StreamEvent,
  Task,
} from "../../protocol/internal.js";
import { assert } from "../assert.js";

/** What a statement about transports works with. */
export interface TransportBench {
  /** The contract's agent as it is reached over the transport. */
  readonly service: AgentService;
  readonly version: ProtocolVersion;
  /** A call context with nothing special in it. */
  readonly call: CallContext;
}

let messages = 0;

/** A request that sends one text, or parts. */
export function say(
  content: string | readonly Part[],
  request: Partial<SendMessageRequest> = {},
): SendMessageRequest {
  messages += 1;
  const parts = typeof content === "string" ? [{ text: content }] : content;
  const message = { messageId: `contract-${messages}`, role: "ROLE_USER" as const, parts };
  return { ...request, message: { ...message, ...request.message } };
}

/** A request that sends a text to a task. */
export function sayTo(task: Task, content: string): SendMessageRequest {
  const request = say(content);
  return { ...request, message: { ...request.message, taskId: task.id } };
}

/** Sends a message and asserts that the result is a task. */
export async function openTask(bench: TransportBench, content: string): Promise<Task> {
  const { task } = await bench.service.sendMessage(
    say(content, { configuration: { returnImmediately: true } }),
    bench.call,
  );
  assert(task !== undefined, `"${content}" was not answered with a task`);
  return task;
}

export async function collect(events: AsyncIterable<StreamEvent>): Promise<readonly StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The texts that were streamed, in order. */
export function streamedText(events: readonly StreamEvent[]): readonly string[] {
  return events.flatMap(({ response }) =>
    (response.artifactUpdate?.artifact.parts ?? []).flatMap(({ text }) =>
      text === undefined ? [] : [text],
    ),
  );
}

export function stateOf({ response }: StreamEvent): string | undefined {
  return response.statusUpdate?.status.state ?? response.task?.status.state;
}
