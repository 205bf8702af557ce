import { A2AError } from "../../protocol/internal.js";
import type { CallContext } from "../../protocol/internal.js";
import { isTransient, isSafeToRepeat, isUnsent, waitToRetry } from "../calls/retry.js";
import type { BackoffOptions } from "../calls/retry.js";
import type { WatchedStream } from "../calls/watched-stream.js";

/** How a stream goes on after its connection was lost. */
export interface Reconnection {
  readonly taskId: string;
  /** Counted from 1, and anew once the stream has gone on. */
  readonly attempt: number;
  /**
   * `sequence`: after the number of the last event, which is exact. `comparison`: by comparing the task with
   * what the caller has received, which is exact for artifacts and for the state, but misses statuses that
   * came and went meanwhile. `polling`: by comparison too, of the task as it is polled.
   */
  readonly by: "sequence" | "comparison" | "polling";
  /** Absent when the agent closed the connection as if it had said everything. */
  readonly error?: Error;
}

export interface ReconnectorOptions extends BackoffOptions {
  readonly call: CallContext;
  /** How many calls in all are made to an agent that cannot be reached. */
  readonly maxAttempts: number;
  /** How many connections in a row may fail before the stream gives up. */
  readonly maxReconnects: number;
  readonly onReconnect?: ((reconnection: Reconnection) => void) | undefined;
}

/** How a connection has ended. */
export interface ConnectionEnd {
  /** The task to go on with; absent while the agent has said nothing that can be resumed. */
  readonly taskId: string | undefined;
  /** Absent when the agent closed the connection as if it had said everything. */
  readonly error: Error | undefined;
  /** Absent when the task was polled. */
  readonly stream: Pick<WatchedStream, "aliveMs" | "isStalled"> | undefined;
  /** The number of the last event; absent when the stream cannot go on after a number. */
  readonly sequence: number | undefined;
}

/** How a stream goes on: it makes the first call again, resumes the task's stream, or polls the task. */
export type NextStep = "call" | "resume" | "poll";

/** After so many fruitless connections in a row, the reconnector polls the task. */
const maxFruitless = 3;

/** A connection that lasted this long counts as a good one, whatever it brought. */
const healthyMs = 5000;

/**
 * Decides how a stream goes on after a connection has ended, by counting what went wrong before. Announces the
 * next attempt and waits until it is due.
 */
export class Reconnector {
  /** Attempts since the last news, the one that `decide` has just decided on included. */
  attempts = 0;
  readonly #options: ReconnectorOptions;
  /** Fruitless connections in a row: they stalled, or repeated what the caller has. */
  #fruitless = 0;
  /** Whether the last event of the present connection brought nothing new. */
  #isRepeating = false;
  /** Whether the present connection has brought no event. */
  #isEmpty = true;
  #isPolling = false;

  constructor(options: ReconnectorOptions) {
    this.#options = options;
  }

  /** Notes an event of the present connection. */
  heard(isNews: boolean): void {
    this.#isRepeating = !isNews;
    this.#isEmpty = false;
    if (isNews || this.#isPolling) this.attempts = 0;
  }

  /** Resolves to the next step when it is due. Throws the error with which the stream ends. */
  async nextStep(outcome: ConnectionEnd): Promise<NextStep> {
    const { taskId, error, sequence } = outcome;
    const step = this.decide(outcome);
    if (step instanceof Error) throw step;
    if (taskId !== undefined) {
      const by = sequence === undefined ? "comparison" : "sequence";
      this.#options.onReconnect?.({
        taskId,
        attempt: this.attempts,
        by: step === "poll" ? "polling" : by,
        ...(error !== undefined && { error }),
      });
    }
    // An agent that refuses to stream a task is there, and can be polled at once.
    if (!isRefusedStream(error)) {
      await waitToRetry(this.#options, this.attempts - 1, error, this.#options.call.signal);
    }
    return step;
  }

  /** The next step, or the error with which the stream ends. */
  decide({ taskId, error, stream, sequence }: ConnectionEnd): NextStep | Error {
    if (taskId === undefined) return this.#afterNoAnswer(error);
    const isRefused = !this.#isPolling && isRefusedStream(error);
    if (error !== undefined && !isRefused && !isWorthRetrying(error)) return error;
    // Some agents open every stream and cut it at once, instead of refusing it.
    const isCutAtOnce = this.#isEmpty && sequence === undefined && !isUnsent(error);
    const isClosed = error === undefined && this.attempts > 0;
    const isFruitless = this.#isRepeating || stream?.isStalled === true || isClosed || isCutAtOnce;
    this.#isRepeating = false;
    this.#isEmpty = true;
    if ((stream?.aliveMs ?? 0) >= healthyMs) this.attempts = this.#fruitless = 0;
    this.attempts += 1;
    this.#fruitless = isFruitless ? this.#fruitless + 1 : 0;
    if (this.attempts > this.#options.maxReconnects) {
      const message =
        `the stream of task ${taskId} broke and could not be resumed in ${this.attempts - 1} attempts; ` +
        `the task may still be running: watch("${taskId}") follows it`;
      const details = { metadata: { taskId } };
      return new A2AError("UNAVAILABLE", message, { details, cause: error });
    }
    // An agent that refuses to stream, or streams nothing new, still answers when it is polled.
    this.#isPolling ||= isRefused || this.#fruitless >= maxFruitless;
    return this.#isPolling ? "poll" : "resume";
  }

  /** Without an answer there is nothing to resume: only the call itself can be made again. */
  #afterNoAnswer(error: Error | undefined): "call" | Error {
    const { call, maxAttempts, maxReconnects } = this.#options;
    const isWorthIt = error === undefined || isTransient(error);
    const isSafe = isSafeToRepeat("sendStreamingMessage", call, error);
    const limit = isUnsent(error) ? maxAttempts : maxReconnects;
    if (isWorthIt && isSafe && this.attempts + 1 < limit) {
      this.attempts += 1;
      return "call";
    }
    // An error without a cause is the agent's own answer, which says that much; a lost connection does not.
    const isAnswer = A2AError.is(error) && error.cause === undefined;
    if (error !== undefined && (isAnswer || isSafe)) return error;
    const message =
      "the connection was lost before the agent answered; whether it has the message is not known " +
      "(with an idempotency key it would have been sent again)";
    return new A2AError("UNAVAILABLE", message, { cause: error });
  }
}

/**
 * A proxy may answer in the agent's place with anything, so an answer that is not A2A is not final. One that the client
 * refuses for its size or its ids is.
 */
function isWorthRetrying(error: Error): boolean {
  const isUnreadable = A2AError.is(error) && error.code === "INVALID_AGENT_RESPONSE";
  return isTransient(error) || (isUnreadable && error.details.metadata?.["problem"] === undefined);
}

/**
 * Whether an agent refuses to stream a task: because the task has ended, which servers say in these ways, or because it
 * never streams.
 */
function isRefusedStream(error: unknown): boolean {
  return (
    A2AError.is(error) &&
    /^(?:UNSUPPORTED_OPERATION|(?:METHOD|TASK)_NOT_FOUND|INVALID_(?:PARAMS|REQUEST))$/.test(
      error.code,
    )
  );
}
