import type { JsonObject, JsonValue, Message, Principal, Task } from "../../protocol/internal.js";
import type { Content } from "./output.js";

/** What a handler works with. */
export interface RunContext {
  /** The message this run answers. */
  readonly message: Message;
  /** The text of that message: its text parts, joined by line breaks. */
  readonly text: string;
  /** Known before the task is stored; a direct answer leaves no task. */
  readonly taskId: string;
  readonly contextId: string;
  /** Aborted when the task is canceled or has been taken over by another node. */
  readonly signal: AbortSignal;
  /** Who is calling; absent for an anonymous caller. */
  readonly caller?: Principal;
  readonly tenant?: string;
  /** What the request carried beside its message. */
  readonly metadata?: JsonObject;
  /**
   * What the caller handed over with the message that started or woke this run, under the extension
   * `credentialsUri`. Kept nowhere: it is gone when the run ends, waits or is taken over, and a handler that
   * still needs it asks again. Use it in a step, and do not return it from there.
   */
  readonly credentials?: JsonValue;
  /** Extensions that are active for this call. */
  readonly extensions: readonly string[];
  /** Media types the caller accepts; empty when it did not say. */
  readonly acceptedOutputModes: readonly string[];
  /** Messages of this task before the one that is answered, oldest first. */
  readonly history: readonly Message[];

  /**
   * Asks the caller and gives the answer, whenever it comes: the task waits as a row in the store, not
   * in memory. When the answer arrives, the handler runs again from its start, on any node: what it
   * yielded is not told again and its steps return what they returned. Work that must not be repeated
   * belongs in a step.
   */
  readonly ask: (question: Content) => Promise<Message>;
  /**
   * Like `ask`, with the task waiting for authorization. That is given elsewhere: say where, and look for it
   * when the answer comes; or it is handed over as `credentials`, by callers who know how. The answer itself
   * is kept in the history like every message.
   */
  readonly authRequired: (explanation: Content) => Promise<Message>;
  /**
   * Does something once and remembers the result, which must be JSON: what is none comes back as JSON
   * has it, nothing as `null`. A replay returns the recorded result. When the work throws, or the process
   * dies after the work but before the record, the work is done again.
   */
  readonly step: <T>(name: string, work: () => T | Promise<T>) => Promise<T>;
  /** The next message that was sent while this run works; waits for one, until the signal is aborted. */
  readonly nextMessage: () => Promise<Message>;
  /** Ends the run: the task failed, for a reason the caller is shown. */
  readonly fail: (reason: Content) => never;
  /** Ends the run: the agent does not take on the task, for a reason the caller is shown. */
  readonly reject: (reason: Content) => never;
  /** The caller's tasks that the message refers to, as far as they exist. */
  readonly referencedTasks: () => Promise<readonly Task[]>;
  /** The caller's other tasks of the same context, the latest first. */
  readonly earlierTasks: (limit?: number) => Promise<readonly Task[]>;
}

export { textOf } from "../../protocol/internal.js";
