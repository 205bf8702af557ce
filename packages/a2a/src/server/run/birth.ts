import { firstTransition } from "../../protocol/internal.js";
import type { JsonObject, Message, TaskStatus } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";
import type { TaskIdentity } from "../log/task-identity.js";
import type { Draft } from "../log/write.js";
import { timestampOf } from "../timestamp.js";

/** What a task begins with, should the run for its first message create it. */
export interface Birth extends Pick<Draft, "idempotency" | "pushConfig" | "limits"> {
  readonly identity: TaskIdentity;
  /** The message that the first run answers, with the ids of the task. */
  readonly message: Message;
  /** What the first run has to know of its call. */
  readonly call: JsonObject;
  /** The task keeps the changes of its state. */
  readonly keepsTransitions: boolean;
}

/** The first moments of a task's life, which its first append contains. */
interface FirstMoments {
  /** The node that the first run works on. */
  readonly node: string;
  readonly at: number;
  /** The handler has begun to work. */
  readonly isWorking: boolean;
  /** What the handler has told so far. */
  readonly outputs: readonly LogEvent[];
  /** The write that creates the task. */
  readonly draft: Draft;
}

/** The first append begins with what the run knows already: the task, its message, and its start. */
export const entriesOfBirth = 3;

/** The first append of a task: the task itself, its first message, its first run, and what that has done so far. */
export function firstDraft(birth: Birth, first: FirstMoments): Draft {
  const { identity, message, call, keepsTransitions, idempotency, pushConfig, limits } = birth;
  const { publicId: taskId, contextId } = identity;
  const { messageId } = message;
  const { node, isWorking, outputs, draft } = first;
  const timestamp = timestampOf(first.at);
  const status: TaskStatus = { state: "TASK_STATE_SUBMITTED", timestamp };
  const events: LogEvent[] = [
    {
      kind: "task-created",
      taskId,
      contextId,
      status,
      ...(keepsTransitions && { metadata: firstTransition(status) }),
    },
    { kind: "message-added", message },
    { kind: "run-started", run: 1, messageId, call },
  ];
  if (isWorking) {
    events.push({ kind: "status-changed", status: { state: "TASK_STATE_WORKING", timestamp } });
  }
  events.push(...outputs, ...draft.events);
  return {
    events,
    node: draft.node === undefined ? node : draft.node,
    messageIds: [messageId],
    ...(idempotency !== undefined && { idempotency }),
    ...(pushConfig !== undefined && { pushConfig }),
    ...(limits !== undefined && { limits }),
  };
}
