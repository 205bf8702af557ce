import type { Message, StreamResponse } from "@parley/a2a";
import type { AgainMessage } from "../../../model/index.js";
import { ProblemError } from "../../api/index.js";
import { streamAgent } from "../../state/calls.js";

export interface TurnListener {
  /** The task has an id. */
  readonly onTask?: (taskId: string) => void;
  readonly onSent?: (message: Message, at: number) => void;
  readonly onEvent?: (event: StreamResponse, at: number) => void;
}

/** Sends messages one after the other as a new task: each further one when the agent has answered the one before. */
export async function sendInTurn(
  connectionId: string,
  messages: readonly AgainMessage[],
  on: TurnListener,
): Promise<void> {
  let taskId: string | undefined;
  let contextId: string | undefined;
  for (const again of messages) {
    const message: Message = {
      messageId: crypto.randomUUID(),
      role: "ROLE_USER",
      ...again,
      ...(taskId !== undefined && { taskId }),
      ...(contextId !== undefined && { contextId }),
    };
    on.onSent?.(message, Date.now());
    const call = { operation: "sendStreamingMessage" as const, request: { message } };
    for await (const event of streamAgent(connectionId, call)) {
      if (event.kind === "problem") throw new ProblemError(event.error);
      if (event.kind !== "event") continue;
      const { task, statusUpdate, artifactUpdate } = event.response;
      on.onEvent?.(event.response, Date.now());
      const id = task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId;
      contextId ??= task?.contextId ?? statusUpdate?.contextId;
      if (id === undefined || taskId !== undefined) continue;
      taskId = id;
      on.onTask?.(id);
    }
    // An agent that answers with a message has no task to go on with.
    if (taskId === undefined) return;
  }
}
