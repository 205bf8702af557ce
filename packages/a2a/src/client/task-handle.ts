import { progressOf } from "../protocol/internal.js";
import type { Artifact, Message, SendMessageResponse, Task } from "../protocol/internal.js";
import type { CallOptions, Content, SendOptions, WatchOptions } from "./call-options.js";
import type { AgentEvent } from "./follow/conversation.js";
import { Delivered } from "./follow/delivered.js";
import { continuing } from "./outgoing-message.js";

/** The part of an agent that a handle uses. */
export interface TaskKeeper {
  send(content: Content, options: SendOptions): Promise<SendMessageResponse>;
  watch(taskId: string, options: WatchOptions): AsyncIterable<AgentEvent>;
  cancel(taskId: string, options: CallOptions): Promise<Task>;
}

/** A task that was begun with `start`. */
export class TaskHandle {
  readonly kind = "task";
  readonly id: string;
  readonly #agent: TaskKeeper;
  readonly #options: SendOptions;
  /** What it sees has passed the limits of the agent. */
  readonly #seen = new Delivered(undefined, Infinity);

  constructor(agent: TaskKeeper, task: Task, options: SendOptions) {
    this.id = task.id;
    this.#agent = agent;
    this.#options = options;
    this.#seen.add({ task });
  }

  /** The task as this handle last saw it. */
  get task(): Task {
    return this.#seen.task() ?? { id: this.id, status: { state: "TASK_STATE_UNSPECIFIED" } };
  }

  /** The artifacts as this handle last saw them. */
  get artifacts(): readonly Artifact[] {
    return this.task.artifacts ?? [];
  }

  /** How far the agent has come, from 0 to 1, as this handle last saw it; absent when the agent does not say. */
  get progress(): number | undefined {
    return progressOf(this.task);
  }

  /** Events of the task from now on, until it has ended or waits for its caller. */
  async *events(): AsyncGenerator<AgentEvent, void, void> {
    for await (const event of this.#agent.watch(this.id, { ...this.#options, until: "settled" })) {
      if (event.kind === "task") this.#seen.add(event);
      if (event.kind === "status") this.#seen.add({ statusUpdate: event });
      if (event.kind === "artifact") this.#seen.add({ artifactUpdate: event });
      yield event;
    }
  }

  /** Resolves to the task once it has ended or waits for its caller. */
  async done(): Promise<Task> {
    for await (const _ of this.events()) {
      // `events` keeps what it sees.
    }
    return this.task;
  }

  /** Sends a message that continues this task. */
  async reply(content: Content): Promise<Task | Message> {
    const options = { ...continuing(this.#options, this.id), returnImmediately: true };
    const { task, message } = await this.#agent.send(content, options);
    if (task !== undefined) this.#seen.add({ task });
    return task ?? message;
  }

  async cancel(): Promise<Task> {
    const task = await this.#agent.cancel(this.id, this.#options);
    this.#seen.add({ task });
    return task;
  }
}
