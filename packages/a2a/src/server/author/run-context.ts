import type { JsonObject, JsonValue, Message, Principal, Task } from "../../protocol/internal.js";
import type { Content } from "./output.js";

/** What a handler works with. */
export interface RunContext {
  /** The message this run answers. */
  readonly message: Message;
  /** The text of that message: its text parts, joined by line breaks. */
  readonly text: string;
  /** The id that the task has, or will have once the handler creates one. A direct reply leaves no task. */
  readonly taskId: string;
  readonly contextId: string;
  /** Aborted when the task is canceled, or when another node has taken it over. */
  readonly signal: AbortSignal;
  /** The authenticated caller; absent for an anonymous one. */
  readonly caller?: Principal;
  readonly tenant?: string;
  /** The metadata of the request, not of its message. */
  readonly metadata?: JsonObject;
  /**
   * The credentials that the caller sent with the message that started or continued this run, under the
   * extension `credentialsUri`. They are never stored: they are gone when the run ends, waits or moves to another
   * node, and a handler that still needs them asks again. Use them in a step, and do not return them from it.
   */
  readonly credentials?: JsonValue;
  /** Extensions that are active for this call. */
  readonly extensions: readonly string[];
  /** Media types the caller accepts; empty when it did not say. */
  readonly acceptedOutputModes: readonly string[];
  /** The task's messages before the one that this run answers, oldest first. */
  readonly history: readonly Message[];

  /**
   * Asks the caller and returns the answer. Until the answer arrives, the task waits in the store, not in memory.
   * Then the handler runs again from its start, on any node: its earlier outputs are not sent again, and its
   * steps return their recorded results. Put work that must not be repeated into a step.
   */
  readonly ask: (question: Content) => Promise<Message>;
  /**
   * Like `ask`, with the task in the state `TASK_STATE_AUTH_REQUIRED`. The caller authorizes somewhere else (say
   * where, and check for it when the answer comes) or sends `credentials`. The answer itself is kept in the
   * history like every message.
   */
  readonly authRequired: (explanation: Content) => Promise<Message>;
  /**
   * Does work once and records its result, which must be JSON: a `Date` comes back as a string, `undefined` as
   * `null`. A replay returns the recorded result. Work that throws is not recorded and is done again in a replay;
   * so is work that was done when the process died before recording it.
   */
  readonly step: <T>(name: string, work: () => T | Promise<T>) => Promise<T>;
  /** The next message that the caller sends while this run works. Rejects when the signal is aborted. */
  readonly nextMessage: () => Promise<Message>;
  /** Ends the run as failed, with a reason that the caller sees. */
  readonly fail: (reason: Content) => never;
  /** Ends the run as rejected (the agent does not take on the task), with a reason that the caller sees. */
  readonly reject: (reason: Content) => never;
  /** The caller's tasks that the message references, as far as they exist. */
  readonly referencedTasks: () => Promise<readonly Task[]>;
  /** The caller's other tasks of the same context, the latest first. */
  readonly earlierTasks: (limit?: number) => Promise<readonly Task[]>;
}

export { textOf } from "../../protocol/internal.js";
