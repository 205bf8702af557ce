import type { JsonObject, JsonValue, TaskEvent, TraceContext } from "../protocol/internal.js";

/** A run of an agent's handler began to answer a message. */
export interface RunStarted {
  readonly kind: "run-started";
  /** The number of the run within its task, from 1. */
  readonly run: number;
  readonly messageId: string;
  /** What the run has to know of the call if it continues later or on another node. */
  readonly call: JsonObject;
  /** The span of the handler at work, to which later ones link. */
  readonly trace?: TraceContext;
}

/** A node took up a run: its handler goes on with the answer it waited for, or is begun again from its start. */
export interface RunResumed {
  readonly kind: "run-resumed";
  readonly run: number;
  /** How often the handler of this run has been begun. A handler that goes on keeps its number. */
  readonly attempt: number;
  /** The version of the agent that took up the run. */
  readonly revision: string;
  readonly trace?: TraceContext;
}

/**
 * Names something that a run did: the `nth` one of its name, from 1. Logs of earlier versions have `position`
 * instead, the number of the step, question or output within its run.
 */
interface Recorded {
  readonly nth?: number;
  readonly position?: number;
}

/** The result of a step; absent when it returned nothing. A repeat returns it instead of doing the work again. */
export interface StepRecorded extends Recorded {
  readonly kind: "step-recorded";
  readonly name: string;
  readonly result?: JsonValue;
}

/** A run asked its caller. The next message is the answer. */
export interface QuestionAsked extends Recorded {
  readonly kind: "question-asked";
  /** Absent for a question without a name. */
  readonly name?: string;
}

/** A run went on without the answer to its open question. */
export interface QuestionClosed {
  readonly kind: "question-closed";
}

/** A named stream came to its end. */
export interface StreamRecorded {
  readonly kind: "stream-recorded";
  readonly name: string;
  readonly nth: number;
  /** The artifact it went into; absent when it had no chunks. */
  readonly artifact?: string;
  /** Which characters of that artifact's text it is, as of this entry. */
  readonly from: number;
  readonly to: number;
}

/** A run took a message that arrived while it worked. */
export interface MessageTaken extends Recorded {
  readonly kind: "message-taken";
  readonly messageId: string;
}

/** A caller canceled the task. The node that runs it stops the run. */
export interface CancelRequested {
  readonly kind: "cancel-requested";
}

/** The journal of a task's runs, from which a run is repeated. Callers never see it. */
export type JournalEvent =
  | RunStarted
  | RunResumed
  | StepRecorded
  | QuestionAsked
  | QuestionClosed
  | StreamRecorded
  | MessageTaken
  | CancelRequested;

/** An event as it is stored. `call` is what a run that answers a message has to know of the call that sent it. */
export type LogEvent = JournalEvent | (TaskEvent & { readonly call?: JsonObject });

/** An event and its place in the log. Sequences start at 1 and have no gaps. */
export interface LogEntry {
  readonly sequence: number;
  /** When the entry was committed, in the store's time: milliseconds since 1970. */
  readonly at: number;
  readonly event: LogEvent;
}
