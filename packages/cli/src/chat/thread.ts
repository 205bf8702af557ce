import { isInterrupted } from "@parley/a2a";
import type { AgentEvent, SendOptions } from "@parley/a2a";

/** What a conversation carries from turn to turn: its context, and the task that waits for an answer. */
export class Thread {
  #contextId: string | undefined;
  #taskId: string | undefined;

  /** `contextId` and `taskId` are those to begin with. */
  constructor(contextId?: string, taskId?: string) {
    this.#contextId = contextId;
    this.#taskId = taskId;
  }

  /** Where the next message goes. */
  get next(): Pick<SendOptions, "contextId" | "taskId"> {
    return {
      ...(this.#contextId !== undefined && { contextId: this.#contextId }),
      ...(this.#taskId !== undefined && { taskId: this.#taskId }),
    };
  }

  /** Notes what an event says of the context and of the task. */
  note(event: AgentEvent): void {
    if (event.kind === "message") {
      this.#contextId = event.message.contextId ?? this.#contextId;
      this.#taskId = undefined;
      return;
    }
    if (event.kind === "artifact") return;
    const { id, contextId, status } =
      event.kind === "task" ? event.task : { ...event, id: event.taskId };
    this.#contextId = contextId ?? this.#contextId;
    this.#taskId = isInterrupted(status.state) ? id : undefined;
  }
}
