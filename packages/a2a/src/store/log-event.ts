import type { JsonObject, JsonValue, TaskEvent } from "../protocol/internal.js";

/** An agent's handler began to work on a message, for the first time or as the next run. */
export interface RunStarted {
  readonly kind: "run-started";
  /** Counted from 1. */
  readonly run: number;
  readonly messageId: string;
  /** What the run has to know of the call, should it go on elsewhere or later. */
  readonly call: JsonObject;
}

/** A step of a run ended; a replay takes the result from here. */
export interface StepRecorded {
  readonly kind: "step-recorded";
  readonly position: number;
  readonly name: string;
  readonly result: JsonValue;
}

/** A run asked its caller and ended its activation; the next message is the answer. */
export interface QuestionAsked {
  readonly kind: "question-asked";
  readonly position: number;
}

/** A run took a message that arrived while it worked. */
export interface MessageTaken {
  readonly kind: "message-taken";
  readonly position: number;
  readonly messageId: string;
}

/** Somebody asked for the task to be canceled; whoever runs it stops. */
export interface CancelRequested {
  readonly kind: "cancel-requested";
}

/** What a log holds besides the task itself: how its runs got where they are. Never shown to callers. */
export type JournalEvent =
  RunStarted | StepRecorded | QuestionAsked | MessageTaken | CancelRequested;

/**
 * An event as it is stored. `position` says which output of its run it is, for replays. `call` is what a
 * run that takes up a message has to know of the call that brought it.
 */
export type LogEvent =
  JournalEvent | (TaskEvent & { readonly position?: number; readonly call?: JsonObject });

/** An event in its place in the log; the first is 1, and there are no holes. */
export interface LogEntry {
  readonly sequence: number;
  readonly event: LogEvent;
}
