import type {
  JsonObject,
  JsonValue,
  Message,
  Principal,
  Task,
  TraceContext,
} from "../../protocol/internal.js";
import type { Content, Output } from "./output.js";
import type { Jsonable, StepAttempt, StepOptions } from "./step.js";

/** How a question is found again. */
export interface QuestionOptions {
  /** Keeps the question and its answer together when the code around it changes. */
  readonly name?: string;
}

/** Where a stream goes. */
export interface StreamOptions {
  /** The id of an artifact of its own. Absent: the stream goes into the answer. */
  readonly artifact?: string;
  /** The name of that artifact. */
  readonly name?: string;
}

/** How long a message is waited for. */
export interface NextMessageOptions {
  /** Calls the wait off when it is aborted. The message that comes then is that of the next call. */
  readonly signal?: AbortSignal;
}

/** A source of chunks. Empty chunks and `undefined` are skipped. */
export type Streamable =
  AsyncIterable<Output | null | undefined> | ReadableStream<Output | null | undefined>;

/** What programs learn of a failure. */
export interface FailureOptions {
  readonly code?: string;
  readonly details?: JsonObject;
}

/** What a handler works with. */
export interface RunContext {
  /** The message this run answers. */
  readonly message: Message;
  /** The text of that message: its text parts, joined by line breaks. */
  readonly text: string;
  /** The id that the task has, or will have once the handler creates one. A direct reply leaves no task. */
  readonly taskId: string;
  readonly contextId: string;
  /** Aborted when the task is canceled, or when another node has taken it over; `isCanceled(signal.reason)` says which. */
  readonly signal: AbortSignal;
  /** The authenticated caller; absent for an anonymous one. */
  readonly caller?: Principal;
  readonly tenant?: string;
  /** The metadata of the request, not of its message. */
  readonly metadata?: JsonObject;
  /**
   * The latest credentials that the caller sent, under the extension `credentialsUri`, with the message that
   * started this run or with an answer to it: read them from the context after `authRequired`. They are never
   * stored: a handler that is begun again has none and asks again. Use them in a step, and do not return them from
   * it.
   */
  readonly credentials?: JsonValue;
  /**
   * The trace that the run is part of: pass it on to agents and services that you call, as `agent.text(…, { trace })`. A
   * client that `connect` was given `telemetry` for finds it by itself. After an answer it is another one; read it from the
   * context then.
   */
  readonly trace?: TraceContext;
  /** Extensions that are active for this call. */
  readonly extensions: readonly string[];
  /** Media types the caller accepts, as it wrote them; empty when it did not say. */
  readonly acceptedOutputModes: readonly string[];
  /**
   * Whether the caller takes this media type: it named the type, or a range such as `text/*`, or nothing at all. For
   * fitting an answer: `accepts("text/html") ? page : plain`. Nothing is refused or left out for it.
   */
  readonly accepts: (mediaType: string) => boolean;
  /** The task's messages before the one that this run answers, oldest first. */
  readonly history: readonly Message[];

  /**
   * Asks the caller and returns the answer. The handler stays where it is while it waits, in memory, and goes on
   * there when the answer comes. It is begun again from its start only if it cannot go on: its process ended, or it
   * has waited for long (`suspendForMs`), or too many wait (`maxSuspended`). Then every question, step and stream
   * that is recorded returns what it returned before, and what was told is not told again. Put work that must not
   * be repeated into a step.
   *
   * A question without a name is found again by its number. One question is open at a time: a further `ask` waits.
   * A handler that yields or ends without the answer withdraws the question, and this promise rejects.
   */
  readonly ask: (question: Content, options?: QuestionOptions) => Promise<Message>;
  /**
   * Like `ask`, with the task in the state `TASK_STATE_AUTH_REQUIRED`. The caller authorizes somewhere else (say
   * where, and check for it when the answer comes) or sends `credentials`. The answer itself is kept in the
   * history like every message.
   */
  readonly authRequired: (explanation: Content, options?: QuestionOptions) => Promise<Message>;
  /**
   * Does work once and records its result, which must be JSON. A handler that is begun again gets the recorded
   * result. Work that throws is not recorded and is done again then; so is work that was done when the process died
   * before recording it: at least once, which is what `key` is for.
   *
   * A step is found again by its name and number. Steps of one name that are begun at different moments and overlap
   * may get each other's results: put the item into the name.
   */
  readonly step: <T>(
    name: string,
    work: (attempt: StepAttempt) => (T & Jsonable<T>) | Promise<T & Jsonable<T>>,
    options?: StepOptions,
  ) => Promise<T>;
  /**
   * Tells the chunks of a source as they come, in the answer or in an artifact of its own, and returns the whole
   * text: `const draft = yield* stream("draft", () => chunks(model))`. A source that fails fails the run, if nobody catches
   * it; one that ends is complete, so take a model's stream that tells of its errors. A handler that is begun again gets the text
   * of a stream that had come to its end, without calling the source. One that was cut starts over.
   */
  readonly stream: (
    name: string,
    source: Streamable | ((signal: AbortSignal) => Streamable | Promise<Streamable>),
    options?: StreamOptions,
  ) => AsyncGenerator<Output, string, void>;
  /**
   * The next message that the caller sends while this run works. Rejects when the run's signal is aborted, or that of
   * the options. A message that comes while nobody waits is kept for the next call; what no call takes begins the next run.
   */
  readonly nextMessage: (options?: NextMessageOptions) => Promise<Message>;
  /**
   * Ends the run as failed, with a reason that the caller sees. `code` and `details` go along for programs, in the
   * metadata of the status.
   */
  readonly fail: (reason: Content, error?: FailureOptions) => never;
  /** Ends the run as rejected (the agent does not take on the task), with a reason that the caller sees. */
  readonly reject: (reason: Content) => never;
  /** The caller's tasks that the message references, as far as they exist. */
  readonly referencedTasks: () => Promise<readonly Task[]>;
  /** The caller's other tasks of the same context, the latest first. */
  readonly earlierTasks: (limit?: number) => Promise<readonly Task[]>;
  /** Reports something to the operator, with the id of the task. Callers do not see it. */
  readonly report: (problem: unknown) => void;
}

export { textOf } from "../../protocol/internal.js";
